#include "gpu/occupancy.h"

#include <algorithm>

namespace edgewise::gpu {
namespace {

// Registers are handed out to whole warps in pieces of this size; warps share
// the processor's four parts evenly.
constexpr uint64_t kRegisterPiece = 256;
constexpr uint64_t kParts = 4;

uint64_t RoundUp(uint64_t value, uint64_t step) {
  return (value + step - 1) / step * step;
}

}  // namespace

std::optional<Occupancy> OccupancyLimit(const KernelRecord& kernel,
                                        const DeviceRecord& device) {
  if (kernel.block_threads == 0 || device.warp_threads == 0 ||
      device.most_warps == 0 || device.most_blocks == 0 ||
      device.most_registers == 0) {
    return std::nullopt;
  }
  const uint64_t warps =
      RoundUp(kernel.block_threads, device.warp_threads) / device.warp_threads;
  struct Bound {
    uint64_t blocks;
    const char* name;
  };
  Bound least{device.most_blocks, "blocks per multiprocessor"};
  const auto consider = [&least](uint64_t blocks, const char* name) {
    if (blocks < least.blocks) {
      least = {blocks, name};
    }
  };
  consider(device.most_warps / warps, "block size");
  if (kernel.thread_registers > 0) {
    const uint64_t of_warp =
        RoundUp(uint64_t{kernel.thread_registers} * device.warp_threads,
                kRegisterPiece);
    const uint64_t fitting = device.most_registers / kParts / of_warp * kParts;
    consider(fitting / warps, "registers");
  }
  // From compute capability 8 on a block costs 1 KiB of its own.
  const uint64_t shared = RoundUp(kernel.shared_bytes, 128) +
                          (device.capability_major >= 8 ? uint64_t{1024} : 0);
  if (kernel.shared_bytes > 0 && device.most_shared_bytes > 0) {
    consider(device.most_shared_bytes / shared, "shared memory");
  }
  if (least.blocks == 0) {
    return std::nullopt;  // it ran, so what we know of the device is wrong
  }
  const uint64_t held =
      std::min<uint64_t>(least.blocks * warps, device.most_warps);
  Occupancy occupancy;
  occupancy.percent = 100.0 * static_cast<double>(held) /
                      static_cast<double>(device.most_warps);
  occupancy.limit = held < device.most_warps ? least.name : "";
  return occupancy;
}

}  // namespace edgewise::gpu
