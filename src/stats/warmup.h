// Where a series settles: cold caches, lazy loading and frequency ramps make
// the first samples of a run unlike the rest.
#ifndef EDGEWISE_STATS_WARMUP_H_
#define EDGEWISE_STATS_WARMUP_H_

#include <cstddef>
#include <span>

namespace edgewise::stats {

// The number of leading samples that belong to the warm-up; 0 if there is none
// or none can be shown; never more than half of the series. The series must be
// finite; below 20 samples the answer is 0.
//
// Rule. (1) Values are clipped to six robust standard deviations around the
// median of the second half, which is taken to be settled, so that a stray
// spike cannot decide. (2) The candidate d minimises the marginal standard
// error s^2(d) / (n - d) of the samples from d on (MSER, White 1997), d <= n/2.
// (3) It is kept only if the mean of the first d samples differs from the mean
// of the rest by more than four standard errors, allowing for
// autocorrelation of the rest; otherwise the answer is 0. O(n).
size_t WarmupCount(std::span<const double> series);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_WARMUP_H_
