// How the samples of a span name are distributed, and how they went over time:
// a bounded number of points for charts, whatever the number of samples.
#ifndef EDGEWISE_STORE_DISTRIBUTION_H_
#define EDGEWISE_STORE_DISTRIBUTION_H_

#include <cstddef>
#include <span>
#include <vector>

#include "store/analysis.h"
#include "store/samples.h"

namespace edgewise {

// At most `max_points` points of the wall times of all parts; none where that
// is below 2. Intervals allow for the dependence of successive samples, as
// those of the percentiles in stats::SpanSummary do; the effective number of
// samples is worked out at a few shares and holds for the shares around them.
std::vector<DistributionPoint> DistributionOf(
    std::span<const SpanSamples> parts, size_t max_points);

// At most `max_buckets` buckets of equal length from the first start to the
// last; none where that is 0.
std::vector<TimeBucket> OverTime(const SpanSamples& samples,
                                 size_t max_buckets);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_DISTRIBUTION_H_
