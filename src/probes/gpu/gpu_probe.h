// GpuProbe: what NVIDIA's driver tells of its GPUs: load, memory, power,
// clocks, heat, throttling, PCIe traffic, and what single processes use.
//
// Each figure is optional: boards differ in what they tell. A Jetson's NVML
// answers some questions with rubbish; a figure that cannot be is treated as
// not told. A light reading takes about 0.1 ms of CPU time, a full one 6 ms on
// a large GPU and, asleep, 40 ms more where the driver samples PCIe traffic
// itself. Not thread-safe.
#ifndef EDGEWISE_PROBES_GPU_GPU_PROBE_H_
#define EDGEWISE_PROBES_GPU_GPU_PROBE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "probes/gpu/gpu_processes.h"
#include "probes/gpu/nvml.h"

namespace edgewise {

struct GpuDevice {
  int index = 0;
  std::string name;  // "NVIDIA H200"
  std::string uuid;
  std::optional<int64_t> memory_bytes;
  // What the memory could move at its highest clock, by its bus width.
  std::optional<double> peak_bytes_per_s;
  // Part of a Jetson's chip: shares the board's memory, and NVML knows little
  // of it; tegrastats knows more.
  bool integrated = false;
};

struct GpuReading {
  int64_t at_ns = 0;
  std::optional<double> busy_percent;  // of the time some kernel ran
  // Of the time memory was read or written: not a share of its bandwidth.
  std::optional<double> memory_busy_percent;
  std::optional<int64_t> memory_used_bytes;
  std::optional<double> bandwidth_bytes_per_s;  // of its memory, since the last
  std::optional<double> watts;
  std::optional<double> joules;  // since the first reading
  std::optional<double> sm_clock_mhz;
  std::optional<double> memory_clock_mhz;
  std::optional<double> celsius;
  std::optional<double> pcie_receive_bytes_per_s;  // by the GPU
  std::optional<double> pcie_transmit_bytes_per_s;
  std::optional<uint64_t> throttle_bits;  // see throttle_reasons.h
  // nullopt: the driver does not list processes.
  std::optional<std::vector<GpuProcess>> processes;
};

class GpuProbe {
 public:
  // All GPUs of the library. kNotFound: no driver; kUnsupported: one that is
  // of no use, or has no GPU.
  static Result<GpuProbe> Open(std::string library_file = {});
  GpuProbe(GpuProbe&&) noexcept;
  GpuProbe& operator=(GpuProbe&&) noexcept;
  ~GpuProbe();

  const std::vector<GpuDevice>& devices() const;
  std::string DriverVersion() const;
  enum class Depth {
    kLight,  // without energy counters, shares of processes, and PCIe traffic
             // that the driver would have to sample
    kFull,
  };
  // One reading of each device, in their order.
  std::vector<GpuReading> Read(int64_t now_ns, Depth depth = Depth::kFull);

 private:
  struct State;
  explicit GpuProbe(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_GPU_GPU_PROBE_H_
