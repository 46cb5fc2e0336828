// What a Recorder keeps between its calls; shared by its own sources alone:
// recorder.cc opens and closes, recorder_sample.cc looks, recorder_totals.cc
// sums up.
#ifndef EDGEWISE_SESSIONS_RECORDER_STATE_H_
#define EDGEWISE_SESSIONS_RECORDER_STATE_H_

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/units.h"
#include "probes/cgroup_stats.h"
#include "probes/perf_counters.h"
#include "probes/process_tree.h"
#include "probes/pss.h"
#include "probes/rings/ring_collector.h"
#include "sessions/gpu_recorder.h"
#include "sessions/host_sampler.h"
#include "sessions/recorder.h"
#include "sessions/ring_recorder.h"

namespace edgewise {

inline constexpr int64_t kHostEveryNs = kNsPerSecond;

struct Recorder::State {
  State(RunWriter& w, const SessionSettings& s)
      : writer(w), settings(s), rings(w) {}

  RunWriter& writer;
  const SessionSettings& settings;
  RingRecorder rings;
  std::unique_ptr<RingCollector> collector;
  RecorderTarget target;
  std::optional<ProcessTree> tree;
  std::optional<CgroupProbe> cgroup;
  std::optional<PerfCounters> counters;
  std::unique_ptr<StackRecorder> stacks;
  std::optional<PssProbe> pss;
  std::optional<HostSampler> host;
  std::optional<GpuRecorder> gpu;
  std::vector<Unavailable> unavailable;

  int64_t start_ns = 0;
  int64_t last_tick_ns = 0;
  int64_t last_cpu_ns = 0;
  int64_t next_host_ns = 0;
  TreeSample sample;
  CgroupStats stats;
  // Of `stats`, what was used before the program ran.
  CgroupStats used_before;
  std::optional<double> cpu_percent;
  int64_t peak_rss_bytes = 0;
  int64_t max_threads = 0;
  int64_t max_processes = 0;
  std::optional<int64_t> max_pss_bytes;
  // CPU time of each thread at the last slow look.
  std::map<pid_t, int64_t> thread_cpu_ns;
  int64_t last_threads_ns = 0;
  std::set<pid_t> series_threads;

  void AddPoint(const std::string& name, const char* unit, int64_t now_ns,
                double value) {
    writer.AddPoint(writer.SeriesId(SeriesKind::kSystem, name, unit),
                    {now_ns - start_ns, value});
  }
  // A Run of many short-lived threads has series of the first ones only.
  bool HasThreadSeries(pid_t tid);
  void Sample(int64_t now_ns, bool last);
  void SampleThreads(int64_t now_ns);
  void ReadCgroup(bool all);
  void OpenStacks();
  int64_t CpuNs() const {
    return std::max(sample.use.cpu_ns, stats.cpu_ns.value_or(0));
  }
  void FillUse(const std::optional<TreeUsage>& usage, Totals* totals) const;
  void FillTree(Totals* totals) const;
  void FillCounters(Run* run) const;
  void FillThreads(Run* run) const;
  void FillClients(Run* run) const;
  std::vector<Unavailable> NotRead(const Totals& totals) const;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_RECORDER_STATE_H_
