#include "sessions/recorder.h"

#include <string>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "probes/process_text.h"
#include "sessions/recorder_state.h"

namespace edgewise {
namespace {

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

}  // namespace

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

}  // namespace edgewise
