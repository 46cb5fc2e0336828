// Clock frequencies of the cores and their governor
// (/sys/devices/system/cpu/cpu*/cpufreq).
//
// The sysfs root is an argument so that tests can point the probe at a fake
// tree. Not thread-safe.
#ifndef EDGEWISE_PROBES_CPUFREQ_H_
#define EDGEWISE_PROBES_CPUFREQ_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "probes/kept_file.h"

namespace edgewise {

class CpuFrequency {
 public:
  explicit CpuFrequency(const std::filesystem::path& sysfs_root = "/sys");

  struct Core {
    int cpu = 0;
    int64_t khz = 0;
  };
  // Cores that have a frequency and are online; empty in most virtual
  // machines.
  std::vector<Core> ReadKhz();
  // Over the cores of the last kind; nullopt where there is none.
  std::optional<int64_t> ReadMeanKhz();

 private:
  struct CoreFile {
    int cpu;
    KeptFile file;
  };
  std::vector<CoreFile> files_;
  std::string buffer_;
};

// "performance", "schedutil", …; several names joined by "/" if the cores
// differ; nullopt where the kernel has no cpufreq.
std::optional<std::string> ReadGovernor(
    const std::filesystem::path& sysfs_root = "/sys");
// Whether the clock may rise above its nominal frequency; nullopt where the
// kernel does not tell.
std::optional<bool> ReadTurbo(const std::filesystem::path& sysfs_root = "/sys");

// The cores that have a folder of their own, in order.
std::vector<int> ListCpus(const std::filesystem::path& sysfs_root = "/sys");

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_CPUFREQ_H_
