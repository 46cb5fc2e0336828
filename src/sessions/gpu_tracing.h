// --gpu-summary: has CUDA load the recording library into the program, and
// sums up what it wrote.
#ifndef EDGEWISE_SESSIONS_GPU_TRACING_H_
#define EDGEWISE_SESSIONS_GPU_TRACING_H_

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "containers/container_spec.h"
#include "store/run.h"

namespace edgewise {

// Makes a folder for traces below `scratch` and names it, and the library, in
// the program's environment. kUnsupported: edgewise was installed without the
// library.
Result<void> EnableGpuTracing(const std::filesystem::path& scratch,
                              std::vector<std::string>* environment);

// The same for a container, which gets both mounted. Its user may be another.
Result<void> EnableGpuTracing(const std::filesystem::path& scratch,
                              ContainerSpec* container);

// After the program has ended, while `scratch` is there. What could not be
// recorded goes to `unavailable`.
void CollectGpuSummary(const std::filesystem::path& scratch, Run* run);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_GPU_TRACING_H_
