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
// Rule. (1) Values are clipped to eight robust standard deviations around the
// median of the second half, which is taken to be settled, so that a stray
// spike cannot decide. (2) The candidate d minimises the marginal standard
// error s^2(d) / (n - d) of the samples from d on (MSER, White 1997), d <= n/2.
// (3) It is kept if the mean of the first d samples differs from the mean of
// the rest by more than five standard errors, allowing for the autocorrelation
// of the rest and, by Student's t, for its effective size. Otherwise (2) and
// (3) are repeated for d <= n/4, n/8, ..., which finds short warm-ups that a
// chance minimum far out would hide. O(n log n) at worst.
size_t WarmupCount(std::span<const double> series);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_WARMUP_H_
