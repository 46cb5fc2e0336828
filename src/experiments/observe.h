// What a stored Run tells about a target.
#ifndef EDGEWISE_EXPERIMENTS_OBSERVE_H_
#define EDGEWISE_EXPERIMENTS_OBSERVE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "experiments/judgement.h"
#include "experiments/target.h"
#include "store/store.h"

namespace edgewise {

// One TargetSamples for each target. Refused: a span that the Run does not have
// (the error lists those there are), or misses of spans without deadlines.
Result<std::vector<TargetSamples>> Observe(const Store& store, const Run& run,
                                           std::span<const Target> targets);

// Items a second in up to ten equal windows from the first to the last of
// `ends_ns` (in any order). Within a window an item counts by the share of it
// that falls there, so that windows need not end with items. Empty for fewer
// than two ends.
std::vector<double> RatesOf(std::vector<int64_t> ends_ns);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_OBSERVE_H_
