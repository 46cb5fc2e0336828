// What to request for an app, from what its Runs used.
#ifndef EDGEWISE_HISTORY_DEMAND_H_
#define EDGEWISE_HISTORY_DEMAND_H_

#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace edgewise {

// Lower is what the app used at its easiest, target what sufficed in all that
// was seen, upper adds room for what was not.
struct Bounds {
  double lower = 0;
  double target = 0;
  double upper = 0;
};

struct ResourceAdvice {
  int64_t runs = 0;
  // Cores: median of the sampled use, the upper end of the 95% interval of its
  // 95th percentile, the most that was sampled. From totals where a Run was too
  // short for samples.
  std::optional<Bounds> cpu_cores;
  // Bytes: the smallest and the largest peak of a Run, and that with 15% on
  // top.
  std::optional<Bounds> memory_bytes;
  std::optional<Bounds> gpu_memory_bytes;  // likewise
  // 10^9 bytes a second: smallest, largest, and that with 15% on top.
  std::optional<Bounds> gpu_bandwidth_gbs;
  // One sentence on what weakens it; empty if nothing does.
  std::string doubt;
};

// `runs`: of one version, on one kind of machine.
Result<ResourceAdvice> AdviseResources(const Store& store,
                                       std::span<const Run> runs);

// All processes together, else what the largest one took.
std::optional<double> PeakMemoryBytes(const Run& run);
std::optional<double> CpuCores(const Run& run);
std::optional<double> PeakGpuMemoryBytes(const Run& run);

}  // namespace edgewise

#endif  // EDGEWISE_HISTORY_DEMAND_H_
