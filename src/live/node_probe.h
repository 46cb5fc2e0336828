// NodeProbe: what the whole machine does: CPU by mode, memory, disk, pressure,
// temperature, power.
#ifndef EDGEWISE_LIVE_NODE_PROBE_H_
#define EDGEWISE_LIVE_NODE_PROBE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "probes/cpu_stat.h"
#include "probes/cpufreq.h"
#include "probes/kept_file.h"
#include "probes/power.h"
#include "probes/pressure.h"
#include "probes/thermal.h"

namespace edgewise::live {

struct NodeMemory {
  int64_t total_bytes = 0;
  int64_t available_bytes = 0;
  int64_t swap_total_bytes = 0;
  int64_t swap_free_bytes = 0;
  int64_t swap_cached_bytes = 0;
};
std::optional<NodeMemory> ParseMeminfo(std::string_view text);

struct NodeDisk {
  std::string mount;
  int64_t total_bytes = 0;
  int64_t available_bytes = 0;
};

struct NodeTemperature {
  std::string zone;
  double celsius = 0;
};

struct NodeReading {
  int64_t at_ns = 0;
  std::optional<CpuStat> cpu;
  // Of each core, and of all cores together (0 to 100), since the reading
  // before.
  std::vector<double> core_percent;
  std::optional<double> cpu_percent;
  std::vector<CpuFrequency::Core> frequencies;
  std::optional<NodeMemory> memory;
  std::vector<NodeDisk> disks;
  SystemPressure::Reading pressure;
  std::vector<NodeTemperature> temperatures;
  PowerReading power;
};

// Roots are arguments for tests. Not thread-safe.
class NodeProbe {
 public:
  explicit NodeProbe(const std::filesystem::path& proc_root = "/proc",
                     const std::filesystem::path& sysfs_root = "/sys",
                     std::string disk = "/");
  NodeReading Read(int64_t now_ns);

 private:
  CpuStatProbe cpu_stat_;
  CpuFrequency frequency_;
  SystemPressure pressure_;
  KeptFile meminfo_;
  std::vector<ThermalZone> zones_;
  std::vector<std::string> zone_names_;
  PowerProbe power_;
  std::string disk_;
  std::optional<CpuStat> last_cpu_;
  std::string buffer_;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_NODE_PROBE_H_
