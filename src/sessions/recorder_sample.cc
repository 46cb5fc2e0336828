#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sessions/recorder_state.h"

namespace edgewise {
namespace {

// Right after the start a process is still the guardian's image, about to exec.
constexpr int64_t kExecNs = 10 * kNsPerMs;
// Series of single threads: enough for a picture, bounded for a server.
constexpr size_t kMostThreadSeries = 32;
constexpr size_t kMostThreadSeriesOfRun = 128;

}  // namespace

bool Recorder::State::HasThreadSeries(pid_t tid) {
  return series_threads.contains(tid) ||
         (series_threads.size() < kMostThreadSeriesOfRun &&
          series_threads.insert(tid).second);
}

void Recorder::State::SampleThreads(int64_t now_ns) {
  const std::vector<ThreadSample> threads = tree->Threads();
  const auto elapsed_ns = static_cast<double>(now_ns - last_threads_ns);
  std::map<pid_t, int64_t> cpu_ns;
  for (size_t i = 0; i < std::min(threads.size(), kMostThreadSeries); ++i) {
    const ThreadSample& thread = threads[i];
    cpu_ns[thread.tid] = thread.cpu_ns;
    const auto before = thread_cpu_ns.find(thread.tid);
    const int64_t used_ns =
        thread.cpu_ns -
        (before != thread_cpu_ns.end() ? before->second : int64_t{0});
    if (elapsed_ns > 0 && used_ns >= 0 && HasThreadSeries(thread.tid)) {
      AddPoint("cpu_percent of thread " + std::to_string(thread.tid) + " " +
                   thread.name,
               "percent", now_ns,
               100 * static_cast<double>(used_ns) / elapsed_ns);
    }
  }
  thread_cpu_ns = std::move(cpu_ns);
  last_threads_ns = now_ns;
}

void Recorder::State::ReadCgroup(bool all) {
  // A group that is already gone must not wipe what it had counted.
  const auto since = [](std::optional<int64_t> now,
                        std::optional<int64_t> then) {
    return now && then ? std::optional(*now - *then) : now;
  };
  if (!all) {
    if (const auto cpu_ns = cgroup->ReadCpuNs()) {
      stats.cpu_ns = since(cpu_ns, used_before.cpu_ns);
    }
  } else if (const CgroupStats now = cgroup->Read();
             now.cpu_ns || now.memory_bytes) {
    stats = now;
    stats.cpu_ns = since(now.cpu_ns, used_before.cpu_ns);
    stats.user_ns = since(now.user_ns, used_before.user_ns);
    stats.system_ns = since(now.system_ns, used_before.system_ns);
  }
}

void Recorder::State::Sample(int64_t now_ns, bool last) {
  sample = last ? tree->SampleAll(now_ns) : tree->Sample(now_ns);
  if (cgroup) {
    ReadCgroup(sample.detail_is_new || last);
  }
  peak_rss_bytes = std::max(peak_rss_bytes, sample.rss_bytes);
  max_threads = std::max(max_threads, sample.threads);
  max_processes = std::max(max_processes, sample.processes);
  const auto elapsed_ns = static_cast<double>(now_ns - last_tick_ns);
  // The last stretch may be too short to be a rate.
  if (elapsed_ns > kNsPerMs) {
    const int64_t cpu_ns = CpuNs();
    cpu_percent = 100 * static_cast<double>(cpu_ns - last_cpu_ns) / elapsed_ns;
    last_cpu_ns = cpu_ns;
    last_tick_ns = now_ns;
    AddPoint("cpu_percent", "percent", now_ns, *cpu_percent);
  }
  if (sample.processes > 0) {
    AddPoint("rss", "bytes", now_ns, static_cast<double>(sample.rss_bytes));
    AddPoint("threads", "", now_ns, static_cast<double>(sample.threads));
    AddPoint("processes", "", now_ns, static_cast<double>(sample.processes));
  }
  if (sample.detail_is_new && now_ns - start_ns >= kExecNs) {
    SampleThreads(now_ns);
  }
  if (stats.memory_bytes && sample.detail_is_new) {
    AddPoint("cgroup_memory", "bytes", now_ns,
             static_cast<double>(*stats.memory_bytes));
  }
  if (settings.read_pss && sample.processes > 0 && pss->why_not().empty() &&
      now_ns - start_ns >= kExecNs && pss->Due(now_ns)) {
    if (const auto bytes = pss->ReadBytes(tree->pids()); bytes && *bytes > 0) {
      max_pss_bytes = std::max(max_pss_bytes.value_or(0), *bytes);
      AddPoint("pss", "bytes", now_ns, static_cast<double>(*bytes));
    }
  }
  if (last) {
    gpu->Stop(now_ns, tree->pids());
  } else {
    gpu->Sample(now_ns, tree->pids());
  }
  if (now_ns >= next_host_ns || last) {
    next_host_ns = now_ns + kHostEveryNs;
    host->Sample(now_ns, CpuNs());
  }
}

}  // namespace edgewise
