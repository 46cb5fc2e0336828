// Which command makes something again.
#ifndef EDGEWISE_PROJECT_REMAKE_H_
#define EDGEWISE_PROJECT_REMAKE_H_

#include <cstdint>
#include <string>

#include "cards/card.h"
#include "experiments/curve.h"
#include "store/run.h"

namespace edgewise {

// "1500ms": nothing is rounded.
std::string TimeFlag(int64_t ns);

// "edgewise run --cpus 0 … -- ./app": measures again under the same conditions.
// Empty for a Run that was attached to or imported.
std::string RunAgain(const Run& run);

// "edgewise card 0123… --span frame … > cards/app.yaml"; empty for a card
// without evidence.
std::string CardAgain(const Card& card, const std::string& file);

// "edgewise sweep --threads 1,2 … -- ./app". `first` is a Run of the sweep; the
// values of its knobs become {NAME} again where they stand alone in the
// command.
std::string SweepAgain(const Curve& curve, const Run& first);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_REMAKE_H_
