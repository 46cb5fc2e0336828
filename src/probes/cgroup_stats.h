// The kernel's account of one group of processes, from cgroup v2, v1 or both.
//
// Where both trees have a figure v2 is taken. Everything is optional: which
// files exist depends on the kernel, the mounts and the enabled controllers.
#ifndef EDGEWISE_PROBES_CGROUP_STATS_H_
#define EDGEWISE_PROBES_CGROUP_STATS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/cgroups.h"
#include "probes/kept_file.h"
#include "probes/pressure.h"

namespace edgewise {

// Totals since the group was made, of the group and all groups below it
// (v1 counts throttling of the group alone).
struct CgroupStats {
  std::optional<int64_t> cpu_ns;
  std::optional<int64_t> user_ns;
  std::optional<int64_t> system_ns;
  // Enforcement periods of the CPU quota; absent where there is no controller.
  std::optional<int64_t> periods;
  std::optional<int64_t> throttled_periods;
  std::optional<int64_t> throttled_ns;
  // Charged memory, page cache included.
  std::optional<int64_t> memory_bytes;
  std::optional<int64_t> memory_peak_bytes;
  std::optional<int64_t> oom_kills;
  std::optional<int64_t> read_bytes;
  std::optional<int64_t> write_bytes;
  std::optional<Pressure> cpu_pressure;
  std::optional<Pressure> memory_pressure;
  std::optional<Pressure> io_pressure;
};

struct BlockIo {
  int64_t read_bytes = 0;
  int64_t write_bytes = 0;
};
// Of v2 io.stat ("8:0 rbytes=1 wbytes=2 …" per device; empty is none yet).
std::optional<BlockIo> ParseIoStat(std::string_view text);
// Of v1 blkio.throttle.io_service_bytes ("8:0 Read 4096" …). nullopt without a
// line of a device ("Total 0"): many kernels and virtual machines account
// nothing there, so it does not say that there was no traffic.
std::optional<BlockIo> ParseBlkio(std::string_view text);

// Not thread-safe.
class CgroupProbe {
 public:
  explicit CgroupProbe(const CgroupFolders& folders);
  // A group that is gone reads as nothing at all.
  CgroupStats Read();
  // CPU time alone, for a fast clock.
  std::optional<int64_t> ReadCpuNs();

 private:
  void ReadCpu(CgroupStats* stats);
  void ReadMemory(CgroupStats* stats);
  void ReadBlockIo(CgroupStats* stats);
  void ReadPressure(CgroupStats* stats);

  // v2
  KeptFile cpu_stat_;
  KeptFile memory_current_;
  KeptFile memory_peak_;
  KeptFile memory_events_;
  KeptFile io_stat_;
  KeptFile cpu_pressure_;
  KeptFile memory_pressure_;
  KeptFile io_pressure_;
  // v1
  KeptFile cpuacct_usage_;
  KeptFile cpuacct_stat_;
  KeptFile v1_cpu_stat_;
  KeptFile memory_usage_;
  KeptFile memory_max_usage_;
  KeptFile memory_oom_control_;
  KeptFile blkio_bytes_;

  // Largest memory_bytes seen, for kernels without memory.peak.
  std::optional<int64_t> seen_peak_bytes_;
  std::string buffer_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_CGROUP_STATS_H_
