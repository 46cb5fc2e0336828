// The figure that a card calls wcet_ms, and what may be claimed for it.
#ifndef EDGEWISE_CARDS_WCET_H_
#define EDGEWISE_CARDS_WCET_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cards/card.h"
#include "cards/make_card.h"
#include "stats/sketch.h"

namespace edgewise {

struct Wcet {
  WcetKind kind = WcetKind::kObservedMax;
  double value_ns = 0;
  double confidence = 0;
  std::optional<double> quantile;
  std::optional<double> exceedance;
  std::vector<std::string> warnings;
};

// What the samples, in the order of measurement, support. `rest` is the
// distribution of further samples that were not stored; nullptr for none.
// Samples that depend on each other count as fewer (stats/autocorrelation.h).
Result<Wcet> ChooseWcet(std::span<const double> samples_ns,
                        const stats::Sketch* rest, const CardRequest& request);

}  // namespace edgewise

#endif  // EDGEWISE_CARDS_WCET_H_
