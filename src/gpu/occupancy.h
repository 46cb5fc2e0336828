// How full a kernel can keep a multiprocessor, and what keeps it from more.
#ifndef EDGEWISE_GPU_OCCUPANCY_H_
#define EDGEWISE_GPU_OCCUPANCY_H_

#include <optional>
#include <string>

#include "gpu/trace_layout.h"

namespace edgewise::gpu {

struct Occupancy {
  double percent = 0;  // of the warps that a multiprocessor can hold
  // "registers", "shared memory", "block size", "blocks per multiprocessor";
  // empty where nothing is in the way.
  std::string limit;
};

// By the kernel's launch and its device's limits; nullopt where these are not
// known or do not fit together. A bound: what a kernel reaches may be less.
std::optional<Occupancy> OccupancyLimit(const KernelRecord& kernel,
                                        const DeviceRecord& device);

}  // namespace edgewise::gpu

#endif  // EDGEWISE_GPU_OCCUPANCY_H_
