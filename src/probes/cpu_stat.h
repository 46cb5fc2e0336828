// CPU time of the whole machine by mode (/proc/stat): steal, and how busy the
// machine is apart from the program under test.
#ifndef EDGEWISE_PROBES_CPU_STAT_H_
#define EDGEWISE_PROBES_CPU_STAT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probes/kept_file.h"

namespace edgewise {

// Since boot. The kernel counts in ticks of usually 10 ms. Guest time is part
// of user and nice.
struct CpuTimes {
  int64_t user_ns = 0;
  int64_t nice_ns = 0;
  int64_t system_ns = 0;
  int64_t idle_ns = 0;
  int64_t iowait_ns = 0;
  int64_t irq_ns = 0;
  int64_t softirq_ns = 0;
  int64_t steal_ns = 0;

  // Time in which this machine's cores did something; steal is not its doing.
  int64_t busy_ns() const {
    return user_ns + nice_ns + system_ns + irq_ns + softirq_ns;
  }
};

struct CpuStat {
  CpuTimes total;
  std::vector<CpuTimes> cores;  // online ones, in the kernel's order
};
std::optional<CpuStat> ParseCpuStat(std::string_view text,
                                    int64_t ticks_per_second);

// Not thread-safe.
class CpuStatProbe {
 public:
  explicit CpuStatProbe(const std::filesystem::path& proc_root = "/proc");
  std::optional<CpuStat> Read();

 private:
  KeptFile file_;
  std::string buffer_;
};

// CPU time that others used between two readings in which the program under
// test used `own_cpu_ns`; at least 0.
int64_t CpuOfOthersNs(const CpuTimes& before, const CpuTimes& after,
                      int64_t own_cpu_ns);

// CLK_TCK: the unit of /proc/stat and /proc/PID/stat, per second.
int64_t TicksPerSecond();
// Ticks in nanoseconds, saturating.
int64_t TicksToNs(int64_t ticks, int64_t ticks_per_second);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_CPU_STAT_H_
