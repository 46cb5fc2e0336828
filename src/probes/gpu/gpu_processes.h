// GpuProcesses: what each process uses of one GPU, as far as the driver tells.
#ifndef EDGEWISE_PROBES_GPU_GPU_PROCESSES_H_
#define EDGEWISE_PROBES_GPU_GPU_PROCESSES_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "probes/gpu/nvml_api.h"

namespace edgewise {

struct GpuProcess {
  pid_t pid = 0;
  std::optional<int64_t> memory_bytes;
  std::optional<double> sm_percent;  // of the GPU's processors, lately
};

class GpuProcesses {
 public:
  // nullopt where the driver does not list processes. Shares are dear: only
  // where asked for.
  std::optional<std::vector<GpuProcess>> Read(const nvml::Api& api,
                                              nvml::Device device,
                                              bool with_shares);

 private:
  // Mean share of each process since the look before, by the driver's samples.
  std::map<pid_t, double> ReadShares(const nvml::Api& api, nvml::Device device);

  unsigned long long last_seen_us_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_GPU_GPU_PROCESSES_H_
