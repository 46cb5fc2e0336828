#include "sessions/recorder.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "probes/cgroup_stats.h"
#include "probes/perf_counters.h"
#include "probes/process_text.h"
#include "probes/process_tree.h"
#include "probes/pss.h"
#include "probes/rings/ring_collector.h"
#include "sessions/gpu_recorder.h"
#include "sessions/host_sampler.h"
#include "sessions/ring_recorder.h"

namespace edgewise {
namespace {

constexpr int64_t kHostEveryNs = kNsPerSecond;
// Right after the start a process is still the guardian's image, about to exec.
constexpr int64_t kExecNs = 10 * kNsPerMs;
// Series of single threads: enough for a picture, bounded for a server.
constexpr size_t kMostThreadSeries = 32;
constexpr size_t kMostThreadSeriesOfRun = 128;
constexpr size_t kMostThreads = 64;

double Seconds(int64_t ns) { return static_cast<double>(ns) / 1e9; }

// The part of `time_ns` in a whole of both; all of it if there is none.
double Share(int64_t time_ns, int64_t other_ns) {
  const int64_t whole_ns = time_ns + other_ns;
  return whole_ns > 0
             ? static_cast<double>(time_ns) / static_cast<double>(whole_ns)
             : 1;
}

// The process tree of a launched program hangs below its guardian, which is no
// part of it.
ProcessTreeOptions TreeOptions(const RecorderTarget& target) {
  ProcessTreeOptions options;
  options.cgroup = target.cgroups;
  options.from_now = target.attached || target.container;
  options.roots = {target.pid};
  options.exclude = target.exclude;
  options.light_samples =
      !target.cgroups.unified.empty() || !target.cgroups.cpuacct.empty();
  if (!target.attached) {
    const auto stat =
        TryReadFile("/proc/" + std::to_string(target.pid) + "/stat");
    const auto parsed = stat ? ParseProcStat(*stat) : std::nullopt;
    if (parsed) {
      options.roots = {parsed->parent_pid};
      options.include_roots = false;
    }
  }
  return options;
}

// Neither account of block I/O has all of it: the cgroup's misses what went
// around its controller, the processes' what they did after the last look.
std::optional<int64_t> Larger(std::optional<int64_t> a,
                              std::optional<int64_t> b) {
  return a && b ? std::max(a, b) : a ? a : b;
}

// Entries with the same reason become one.
std::vector<Unavailable> MergeByReason(const std::vector<Unavailable>& all) {
  std::vector<Unavailable> merged;
  for (const Unavailable& entry : all) {
    const auto same =
        std::find_if(merged.begin(), merged.end(),
                     [&](const Unavailable& m) { return m.why == entry.why; });
    if (same == merged.end()) {
      merged.push_back(entry);
    } else {
      same->what += ", " + entry.what;
    }
  }
  return merged;
}

}  // namespace

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
  bool HasThreadSeries(pid_t tid) {
    return series_threads.contains(tid) ||
           (series_threads.size() < kMostThreadSeriesOfRun &&
            series_threads.insert(tid).second);
  }
  void Sample(int64_t now_ns, bool last);
  void SampleThreads(int64_t now_ns);
  void ReadCgroup(bool all);
  void OpenStacks();
  int64_t CpuNs() const {
    return std::max(sample.use.cpu_ns, stats.cpu_ns.value_or(0));
  }
  void FillUse(const std::optional<TreeUsage>& usage, Totals* totals) const;
};

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

Recorder::Recorder(std::unique_ptr<State> state) : state_(std::move(state)) {}
Recorder::~Recorder() = default;

Result<std::unique_ptr<Recorder>> Recorder::Create(
    RunWriter& writer, const SessionSettings& settings,
    const std::string& socket_path) {
  auto state = std::make_unique<State>(writer, settings);
  if (const auto known = FindPerfEvents(settings.events); !known) {
    return known.error();
  }
  if (socket_path.empty()) {
    state->unavailable.push_back(
        {"spans",
         "an attached process reports to the collector it was started with"});
  } else {
    RingCollectorOptions options{socket_path};
    if (settings.container) {
      options.socket_mode = 0666;  // images choose their user
    }
    auto collector = RingCollector::Create(options);
    if (!collector) {
      return collector.error();
    }
    state->collector = std::move(*collector);
  }
  return std::unique_ptr<Recorder>(new Recorder(std::move(state)));
}

void Recorder::Open(const RecorderTarget& target) {
  State& s = *state_;
  s.target = target;
  s.tree.emplace(TreeOptions(target));
  if (!target.cgroups.empty()) {
    s.cgroup.emplace(target.cgroups);
  }
  s.pss.emplace();
  s.host.emplace(s.writer, target.pid);
  s.gpu.emplace(s.writer);
  PerfOptions options;
  options.enable_on_exec = !target.attached && !target.running;
  options.all_threads = target.attached || target.running;
  auto counters = PerfCounters::Open(target.pid, s.settings.events, options);
  if (counters) {
    s.unavailable.insert(s.unavailable.end(), counters->unavailable().begin(),
                         counters->unavailable().end());
    s.counters.emplace(std::move(*counters));
  } else {
    s.unavailable.push_back({"counters", counters.error().message});
  }
  if (s.settings.conditions.stack_hz) {
    s.OpenStacks();
  }
}

void Recorder::CountFromNow() {
  if (state_->cgroup) {
    state_->used_before = state_->cgroup->Read();
  }
}

// Everything in a launched program's own group is the program; an attached one
// shares its group with others.
void Recorder::State::OpenStacks() {
  SamplingTarget sampled;
  sampled.pid = target.pid;
  sampled.attached = target.attached;
  sampled.cgroup = target.cgroups.unified;
  if (target.attached) {
    (void)tree->Sample(MonotonicNs());
    sampled.processes = tree->pids();
    if (const auto folders = CgroupFoldersOf(std::to_string(target.pid))) {
      sampled.cgroup = folders->unified;
    }
  } else if (!target.exclude.empty()) {
    sampled.processes = {target.pid};
  }
  StackSamplerOptions options;
  options.rate_hz = *settings.conditions.stack_hz;
  if (settings.stack_bytes > 0) {
    options.stack_bytes = static_cast<uint32_t>(settings.stack_bytes);
  }
  auto opened =
      StackRecorder::Open(sampled, options, target.home, target.run_id);
  if (opened) {
    stacks = std::move(*opened);
  } else {
    unavailable.push_back({"stacks", opened.error().message});
  }
}

bool Recorder::has_stacks() const { return state_->stacks != nullptr; }

void Recorder::FinishStacks(Run* run) {
  if (!state_->stacks) {
    return;
  }
  const auto profile = state_->stacks->Fold();
  constexpr double kMustShowS = 0.2;
  const double cpu_s =
      run->totals.cpu_user_s.value_or(0) + run->totals.cpu_system_s.value_or(0);
  if (profile && profile->total() == 0 && cpu_s > kMustShowS) {
    run->unavailable.push_back(
        {"stacks",
         "no sample came, though the program used CPU time: of a program that "
         "this user may not read (execute-only, setuid) the kernel gives none; "
         "run edgewise as root"});
  } else if (profile) {
    state_->writer.SetStacks(*profile);
  } else {
    run->unavailable.push_back({"stacks", profile.error().message});
  }
}

void Recorder::Start(int64_t now_ns) {
  State& s = *state_;
  s.start_ns = now_ns;
  s.last_tick_ns = now_ns;
  s.last_threads_ns = now_ns;
  s.next_host_ns = now_ns + kHostEveryNs;
  s.rings.SetStart(now_ns);
  s.host->Start(now_ns);
  s.gpu->Start(now_ns);
  if (s.stacks) {
    s.stacks->Start();
  }
}

void Recorder::Tick(int64_t now_ns) { state_->Sample(now_ns, false); }

int Recorder::ring_fd() const {
  return state_->collector ? state_->collector->epoll_fd() : -1;
}

void Recorder::DrainRings() {
  if (state_->collector) {
    state_->collector->Drain(state_->rings);
  }
}

void Recorder::FinishRings() {
  if (state_->collector) {
    state_->collector->Finish(state_->rings);
  }
}

std::optional<double> Recorder::cpu_percent() const {
  return state_->cpu_percent;
}

std::optional<int64_t> Recorder::rss_bytes() const {
  return state_->sample.rss_bytes;
}

bool Recorder::OutOfMemory() const {
  return state_->stats.oom_kills.value_or(0) > 0;
}

void Recorder::Stop(int64_t now_ns) {
  if (state_->stacks) {
    state_->stacks->Stop(now_ns);
  }
  state_->Sample(now_ns, true);
  DrainRings();
}

// CPU time, faults and switches: the kernel's own account where there is one.
void Recorder::State::FillUse(const std::optional<TreeUsage>& usage,
                              Totals* totals) const {
  const ResourceUse& use = sample.use;
  const ThreadSums& sums = tree->detail().sums;
  if (usage) {
    totals->cpu_user_s = usage->cpu_user_s;
    totals->cpu_system_s = usage->cpu_system_s;
    totals->max_rss_bytes = usage->max_rss_bytes;
    totals->minor_faults = usage->minor_faults;
    totals->major_faults = usage->major_faults;
    totals->voluntary_switches = usage->voluntary_switches;
    totals->involuntary_switches = usage->involuntary_switches;
    // Children that nobody waited for are missing there. The cgroup has them;
    // without one, the samples have them up to their last look. A sample may
    // count a child twice that ends while it is taken: at most all of what was
    // waited for, hence the wide margin.
    const double waited_s = usage->cpu_user_s + usage->cpu_system_s;
    const double seen_s = Seconds(stats.cpu_ns.value_or(use.cpu_ns));
    const double margin = stats.cpu_ns ? 1.01 : 2;
    constexpr double kLaunchCostS = 0.01;
    if (seen_s > waited_s * margin + kLaunchCostS) {
      const bool by_cgroup = stats.user_ns && stats.system_ns &&
                             *stats.user_ns + *stats.system_ns > 0;
      const double user_share = by_cgroup
                                    ? Share(*stats.user_ns, *stats.system_ns)
                                    : Share(use.user_ns, use.system_ns);
      totals->cpu_user_s = seen_s * user_share;
      totals->cpu_system_s = seen_s * (1 - user_share);
    }
    return;
  }
  // An attached process shares its group with others.
  const bool by_cgroup = target.container && stats.cpu_ns;
  const int64_t cpu_ns = by_cgroup ? *stats.cpu_ns : use.cpu_ns;
  const double user_share = by_cgroup && stats.user_ns && stats.system_ns
                                ? Share(*stats.user_ns, *stats.system_ns)
                                : Share(use.user_ns, use.system_ns);
  totals->cpu_user_s = Seconds(cpu_ns) * user_share;
  totals->cpu_system_s = Seconds(cpu_ns) * (1 - user_share);
  totals->max_rss_bytes = sums.largest_process_peak_bytes;
  totals->minor_faults = use.minor_faults;
  totals->major_faults = use.major_faults;
  totals->voluntary_switches = sums.voluntary_switches;
  totals->involuntary_switches = sums.involuntary_switches;
}

void Recorder::Fill(const std::optional<TreeUsage>& usage, Run* run) const {
  const State& s = *state_;
  Totals& totals = run->totals;
  s.FillUse(usage, &totals);
  const TreeDetail& detail = s.tree->detail();
  totals.tree_peak_bytes =
      std::max(s.peak_rss_bytes, totals.max_rss_bytes.value_or(0));
  totals.max_pss_bytes = s.max_pss_bytes;
  // A program that is gone before the first look was not counted.
  if (s.max_processes > 0) {
    totals.max_threads = s.max_threads;
    totals.max_processes = s.max_processes;
  }
  if (detail.sums.run_queue_wait_ns) {
    totals.run_queue_wait_s = Seconds(*detail.sums.run_queue_wait_ns);
  }
  totals.block_read_bytes = Larger(s.stats.read_bytes, detail.read_bytes);
  totals.block_write_bytes = Larger(s.stats.write_bytes, detail.write_bytes);
  totals.throttled_periods = s.stats.throttled_periods;
  if (s.stats.throttled_ns) {
    totals.throttled_s = Seconds(*s.stats.throttled_ns);
  }
  s.host->Fill(run);
  s.gpu->Fill(run);

  if (s.counters) {
    for (const PerfReading& reading : s.counters->Read()) {
      // As perf marks what leaves the kernel's own work out.
      run->counters.push_back({reading.name + (reading.user_only ? ":u" : ""),
                               reading.value, reading.running_share});
      if (reading.name == "cpu-migrations" && reading.value) {
        totals.migrations = static_cast<int64_t>(*reading.value);
      }
    }
  }
  const std::vector<ThreadSample> threads = s.tree->Threads();
  for (size_t i = 0; i < std::min(threads.size(), kMostThreads); ++i) {
    const ThreadSample& thread = threads[i];
    run->threads.push_back(
        {thread.pid, thread.tid, thread.name, Seconds(thread.cpu_ns),
         thread.run_queue_wait_ns
             ? std::optional(Seconds(*thread.run_queue_wait_ns))
             : std::nullopt,
         thread.affinity});
  }
  run->clients = s.rings.accounts();
  if (s.rings.dropped_without_name() > 0) {
    run->warnings.push_back(
        FormatCount(s.rings.dropped_without_name(), "record") +
        " of the in-app library dropped (too many threads or names); which "
        "spans they belong to is not known");
  }
  if (s.collector && s.collector->refused_clients() > 0) {
    run->warnings.push_back(
        std::to_string(s.collector->refused_clients()) +
        " connections of the in-app library were turned away, the last one: " +
        s.collector->last_refusal());
  }

  std::vector<Unavailable> all = run->unavailable;
  all.insert(all.end(), s.unavailable.begin(), s.unavailable.end());
  const std::vector<Unavailable> of_tree = s.tree->unavailable();
  all.insert(all.end(), of_tree.begin(), of_tree.end());
  if (!s.settings.read_pss) {
    all.push_back({"PSS", "--no-pss was given"});
  } else if (!s.pss->why_not().empty()) {
    all.push_back({"PSS", s.pss->why_not()});
  } else if (!s.max_pss_bytes) {
    all.push_back({"PSS", "the program ended before it could be read"});
  }
  const auto& events = s.settings.events;
  if (!totals.migrations && std::find(events.begin(), events.end(),
                                      "cpu-migrations") == events.end()) {
    all.push_back({"migrations", "--events leaves cpu-migrations out"});
  }
  if (!totals.throttled_periods) {
    all.push_back({"throttling", s.settings.conditions.cpu_quota_cores
                                     ? "the cgroup does not tell"
                                     : "no --cpu-quota was set"});
  }
  run->unavailable = MergeByReason(all);
}

}  // namespace edgewise
