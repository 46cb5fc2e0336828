// GpmCounters: traffic of a GPU's memory and PCIe link from hardware counters
// that the driver reads without a profiler (Hopper and later).
#ifndef EDGEWISE_PROBES_GPU_GPM_COUNTERS_H_
#define EDGEWISE_PROBES_GPU_GPM_COUNTERS_H_

#include <memory>
#include <optional>

#include "probes/gpu/nvml_api.h"

namespace edgewise {

// Means since the reading before.
struct GpmReading {
  std::optional<double> dram_percent;  // of the peak bandwidth
  std::optional<double> pcie_receive_bytes_per_s;
  std::optional<double> pcie_transmit_bytes_per_s;
};

class GpmCounters {
 public:
  // nullopt where the GPU has none. `api`, and the library behind it, must
  // outlive it.
  static std::optional<GpmCounters> Open(const nvml::Api& api,
                                         nvml::Device device);

  // All empty at first, and when the driver skips one.
  GpmReading Read();

 private:
  struct FreeSample {
    const nvml::Api* api;
    void operator()(void* sample) const { api->gpm_free(sample); }
  };
  using Sample = std::unique_ptr<void, FreeSample>;

  GpmCounters(const nvml::Api& api, nvml::Device device, Sample a, Sample b);

  const nvml::Api* api_;
  nvml::Device device_;
  Sample before_;
  Sample after_;
  bool has_before_ = false;
  std::unique_ptr<nvml::GpmMetrics> metrics_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_GPU_GPM_COUNTERS_H_
