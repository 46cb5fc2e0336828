// How many samples a claim about a tail needs by the rule of MLPerf Inference.
#ifndef EDGEWISE_STATS_TAIL_CLAIM_H_
#define EDGEWISE_STATS_TAIL_CLAIM_H_

#include <cstdint>

namespace edgewise::stats {

// The least number of queries with which the share above the p-quantile is
// known at 99% confidence to within a twentieth of itself, rounded up to a
// multiple of 8192: 24,576 for 0.9, 57,344 for 0.95, 270,336 for 0.99
// (MLPerf Inference rules, "number of queries"). 0 < p < 1.
int64_t MlperfQueries(double p);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_TAIL_CLAIM_H_
