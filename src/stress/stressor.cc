#include "stress/stressor.h"

#include <sched.h>

#include "stress/stressors.h"

namespace edgewise {

Result<std::unique_ptr<Stressor>> MakeStressor(const StressSettings& settings) {
  switch (settings.spec.kind) {
    case StressKind::kCpu:
      return MakeCpuStressor(settings);
    case StressKind::kCache:
      return MakeCacheStressor(settings);
    case StressKind::kBandwidth:
      return MakeBandwidthStressor(settings);
    case StressKind::kMemory:
      return MakeMemoryStressor(settings);
    case StressKind::kDisk:
      return MakeDiskStressor(settings);
    case StressKind::kNetwork:
      return MakeNetworkStressor(settings);
  }
  return Error{ErrorCode::kInvalid, "there is no such stressor"};
}

int UsableCores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores)
                                                           : 1;
}

}  // namespace edgewise
