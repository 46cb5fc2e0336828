// Proportional set size of the program under test (/proc/PID/smaps_rollup).
//
// The kernel walks the whole page table for it: milliseconds for a process of
// a gigabyte. So it is read on a slow clock that slows down further when a
// reading was expensive, such that at most a given share of time goes into it.
#ifndef EDGEWISE_PROBES_PSS_H_
#define EDGEWISE_PROBES_PSS_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace edgewise {

struct PssOptions {
  std::filesystem::path proc_root = "/proc";
  int64_t least_interval_ns = 2 * kNsPerSecond;
  double most_share_of_time = 0.002;
  int64_t (*clock)() = &MonotonicNs;  // an argument for tests
};

// Not thread-safe.
class PssProbe {
 public:
  explicit PssProbe(PssOptions options = {});

  // True if enough time has gone by since the last reading for another one.
  bool Due(int64_t now_ns) const { return now_ns >= next_ns_; }
  // The sum over these processes, whether due or not; those that have ended
  // meanwhile count nothing. nullopt if one cannot be read: a partial sum
  // would be wrong; why_not() then says what is in the way.
  std::optional<int64_t> ReadBytes(const std::vector<pid_t>& pids);
  const std::string& why_not() const { return why_not_; }

 private:
  PssOptions options_;
  int64_t next_ns_ = 0;
  std::string why_not_;
  std::string buffer_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PSS_H_
