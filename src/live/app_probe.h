// AppProbe: what one app uses of the machine, read from outside.
//
// CPU, memory, threads and I/O come from its processes. What only a cgroup
// tells (throttling, working set, pressure) is shown where the cgroup is the
// app's own: that of a container, or one that holds no other process.
#ifndef EDGEWISE_LIVE_APP_PROBE_H_
#define EDGEWISE_LIVE_APP_PROBE_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/cgroups.h"
#include "probes/cgroup_stats.h"
#include "probes/kept_file.h"
#include "probes/process_tree.h"

namespace edgewise::live {

// Totals count from when the app was first looked at.
struct AppReading {
  int64_t at_ns = 0;
  int64_t cpu_ns = 0;
  std::optional<double> cpu_percent;  // of one core, since the reading before
  int64_t rss_bytes = 0;
  int64_t threads = 0;
  int64_t processes = 0;
  std::optional<int64_t> read_bytes;
  std::optional<int64_t> write_bytes;
  // Of its own cgroup; totals count from when that was made.
  std::optional<int64_t> working_set_bytes;
  std::optional<int64_t> throttled_periods;
  std::optional<int64_t> throttled_ns;
  std::optional<int64_t> oom_kills;
  std::optional<Pressure> cpu_pressure;
  std::optional<Pressure> memory_pressure;
  std::optional<Pressure> io_pressure;
};

// Charged memory without file pages that nobody has used of late, as
// Kubernetes counts it; from the text of memory.stat (v2 or v1).
std::optional<int64_t> WorkingSetBytes(std::optional<int64_t> memory_bytes,
                                       std::string_view memory_stat);

// Not thread-safe.
class AppProbe {
 public:
  // `in_container`: its cgroup belongs to the app, whoever else is in it.
  AppProbe(pid_t pid, bool in_container);

  AppReading Read(int64_t now_ns);
  // The cgroup, where it is the app's own; else empty.
  const CgroupFolders& own_cgroup() const { return own_cgroup_; }

 private:
  bool CgroupIsOwn() const;
  void OpenCgroup();
  void ReadCgroup(AppReading* reading);

  bool in_container_;
  CgroupFolders found_cgroup_;
  CgroupFolders own_cgroup_;
  ProcessTree tree_;
  std::optional<CgroupProbe> cgroup_;
  KeptFile memory_stat_;
  std::string buffer_;
  int reads_ = 0;
  std::optional<int64_t> last_ns_;
  int64_t last_cpu_ns_ = 0;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_APP_PROBE_H_
