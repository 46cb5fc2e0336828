// One figure of whole repeats, such as a Run's throughput.
#ifndef EDGEWISE_STATS_REPEATS_H_
#define EDGEWISE_STATS_REPEATS_H_

#include <optional>
#include <span>

#include "stats/quantile.h"

namespace edgewise::stats {

// The geometric mean and Student's t interval of the mean of logarithms, exact
// for lognormal figures; of figures that are not all positive the plain mean
// with its interval. No ends from a single one; nullopt from none. Values must
// be finite.
std::optional<Estimate> EstimateRepeats(std::span<const double> values,
                                        double confidence = 0.95);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_REPEATS_H_
