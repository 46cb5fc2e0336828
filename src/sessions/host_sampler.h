// HostSampler: what the machine around the program does, about once a second:
// pressure, stolen time, load of others, network, frequency, temperature and
// power. Streams series; sums up at the end.
#ifndef EDGEWISE_SESSIONS_HOST_SAMPLER_H_
#define EDGEWISE_SESSIONS_HOST_SAMPLER_H_

#include <sys/types.h>

#include <optional>
#include <vector>

#include "probes/cpu_stat.h"
#include "probes/cpufreq.h"
#include "probes/network.h"
#include "probes/power.h"
#include "probes/pressure.h"
#include "probes/thermal.h"
#include "store/run_writer.h"

namespace edgewise {

// Not thread-safe.
class HostSampler {
 public:
  // `writer` must outlive it; `pid` is the process whose network namespace is
  // read.
  HostSampler(RunWriter& writer, pid_t pid);

  // The first reading; series count from here.
  void Start(int64_t now_ns);
  // One reading; `tree_cpu_ns` is what the program has used so far.
  void Sample(int64_t now_ns, int64_t tree_cpu_ns);
  // Fills in what it knows; what the machine lacks goes to `unavailable`.
  void Fill(Run* run) const;

 private:
  struct Reading {
    SystemPressure::Reading pressure;
    std::optional<CpuTimes> cpu;
    std::optional<NetworkTotals> network;
    int64_t at_ns = 0;
    int64_t tree_cpu_ns = 0;
  };
  Reading Read(int64_t now_ns, int64_t tree_cpu_ns);
  void AddPoint(const char* name, const char* unit, int64_t now_ns,
                double value);
  void SampleSensors(int64_t now_ns);

  RunWriter& writer_;
  SystemPressure pressure_;
  CpuStatProbe cpu_stat_;
  NetworkProbe network_;
  CpuFrequency frequency_;
  std::vector<ThermalZone> thermal_zones_;
  PowerProbe power_;
  int64_t start_ns_ = 0;
  Reading first_;
  Reading last_;
  std::optional<double> joules_;
  double most_other_cpu_percent_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_HOST_SAMPLER_H_
