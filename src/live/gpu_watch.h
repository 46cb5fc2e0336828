// GpuWatch: the GPUs of the node as they are now, by NVML and, on a Jetson, by
// tegrastats.
//
// Does nothing where there is neither. Reading never waits for a driver. Not
// thread-safe; one thread must read from the first time to the last.
#ifndef EDGEWISE_LIVE_GPU_WATCH_H_
#define EDGEWISE_LIVE_GPU_WATCH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "probes/gpu/gpu_probe.h"
#include "probes/gpu/tegrastats_reader.h"
#include "sessions/gpu_sampler.h"

namespace edgewise::live {

struct NodeGpu {
  GpuDevice device;
  GpuReading reading;  // the newest of each figure
};

struct NodeGpus {
  std::vector<NodeGpu> devices;
  std::optional<TegraStats> tegra;  // the newest line
};

class GpuWatch {
 public:
  // Asks at first reading, so that nothing runs before.
  GpuWatch() = default;
  const NodeGpus& Read(int64_t now_ns);

 private:
  void Open();
  void Keep(const std::vector<GpuReading>& readings);

  bool opened_ = false;
  std::unique_ptr<GpuSampler> sampler_;
  std::optional<TegrastatsReader> tegrastats_;
  NodeGpus gpus_;
};

// What tegrastats says of the GPU in a Jetson's chip.
GpuReading ReadingOf(const TegraStats& tegra, int64_t now_ns);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_GPU_WATCH_H_
