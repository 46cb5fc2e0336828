// The figures of a pressure model that come closest to a fitted Sharing.
#ifndef EDGEWISE_CONTENTION_PRESSURE_FIGURES_H_
#define EDGEWISE_CONTENTION_PRESSURE_FIGURES_H_

#include <vector>

#include "contention/campaign.h"
#include "contention/sharing.h"
#include "orchestration/pressure_model.h"

namespace edgewise::contention {

// Ranks by server: 0 of the fastest.
std::vector<int> RanksOf(const Sharing& sharing);

// How long service takes depends on who the others are; a pressure that adds
// up knows only how much they want. Each app's curve is the one that fits best
// to many deployments drawn at random. `basis` and errors are left as they
// are.
orchestration::PressureFigures FiguresFrom(const Campaign& campaign,
                                           const Sharing& sharing);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_PRESSURE_FIGURES_H_
