// Pressure stall information: how long tasks waited for CPU, memory or I/O
// (/proc/pressure/* for the system, *.pressure of a v2 cgroup).
#ifndef EDGEWISE_PROBES_PRESSURE_H_
#define EDGEWISE_PROBES_PRESSURE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "probes/kept_file.h"

namespace edgewise {

struct Pressure {
  int64_t some_ns = 0;             // total time at least one task stalled
  std::optional<int64_t> full_ns;  // total time all tasks stalled
  double some_avg10_percent = 0;
};
std::optional<Pressure> ParsePressure(std::string_view text);

// The pressure of the whole system. Every reading is nullopt where the kernel
// was built or booted without it. Not thread-safe.
class SystemPressure {
 public:
  explicit SystemPressure(const std::filesystem::path& proc_root = "/proc");
  struct Reading {
    std::optional<Pressure> cpu;
    std::optional<Pressure> memory;
    std::optional<Pressure> io;
  };
  Reading Read();

 private:
  KeptFile cpu_;
  KeptFile memory_;
  KeptFile io_;
  std::string buffer_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PRESSURE_H_
