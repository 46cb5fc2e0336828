// Samples of several Runs, brought together by name.
#ifndef EDGEWISE_STORE_POOLED_SAMPLES_H_
#define EDGEWISE_STORE_POOLED_SAMPLES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/samples.h"
#include "store/store.h"

namespace edgewise {

struct SamplePool {
  std::string name;
  // One part per Run that has the name, in the order of Runs.
  std::vector<SpanSamples> parts;
};

// All spans and jobs of the Runs, in the order in which names first appear. A
// name used for spans and for jobs gives two pools.
Result<std::vector<SamplePool>> PoolSamples(const Store& store,
                                            std::span<const Run> runs);

// Runs whose program failed, was killed or timed out, and interrupted ones.
int64_t CountFailed(std::span<const Run> runs);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_POOLED_SAMPLES_H_
