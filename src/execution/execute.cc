#include "execution/execute.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/units.h"
#include "execution/dispatch_crew.h"
#include "execution/latency_hold.h"
#include "execution/permitted_plan.h"
#include "execution/record_execution.h"
#include "execution/task_programs.h"
#include "execution/thread_class.h"
#include "probes/cpu_stat.h"
#include "sessions/signal_guard.h"
#include "store/store.h"

namespace edgewise {
namespace {

// From when all are ready to the first release.
constexpr int64_t kLeadNs = 50 * kNsPerMs;
constexpr int kTickMs = 100;
// Of the jobs that figures are made of; 80 bytes each.
constexpr size_t kMostJobs = 2'000'000;

class Executing {
 public:
  // `settings.plan` is one that may be executed with or without real-time
  // policies, as `realtime` says.
  Executing(const std::filesystem::path& home, const ExecuteSettings& settings,
            const ExecuteListener& progress, bool realtime,
            std::vector<std::string> warnings)
      : home_(home),
        settings_(settings),
        progress_(progress),
        crew_(settings.plan, settings.naive, realtime) {
    execution_.realtime = realtime;
    execution_.warnings = std::move(warnings);
  }

  Result<Execution> Run();

 private:
  Result<void> StartPrograms();
  // Until the end of the time, a signal or a failure.
  void Watch();
  void Drain();
  void SampleSteal();
  // What went wrong, if anything did.
  std::optional<Error> Failure() const;
  Result<Execution> Conclude();
  bool Cancelled() {
    execution_.cancelled = execution_.cancelled || signals_.Next().has_value();
    return execution_.cancelled;
  }

  const std::filesystem::path& home_;
  const ExecuteSettings& settings_;
  const ExecuteListener& progress_;
  SignalGuard signals_;
  // The programs end before the memory that they share with the crew does.
  DispatchCrew crew_;
  std::unique_ptr<TaskPrograms> programs_;
  CpuStatProbe cpu_stat_;
  DispatchTimes times_;
  ExecutionTrace trace_;
  Execution execution_;
  int64_t missed_ = 0;
  int64_t beyond_ = 0;  // jobs of which nothing is kept
  std::optional<size_t> ended_task_;
};

Result<void> Executing::StartPrograms() {
  auto channels = crew_.MakeChannels();
  if (!channels) {
    return channels.error();
  }
  programs_ = std::make_unique<TaskPrograms>(settings_.plan,
                                             std::move(*channels), home_);
  const ProgramSettings programs{
      execution_.group, settings_.naive ? "naive" : "planned",
      "exec " + settings_.plan_name, settings_.naive};
  if (Result<void> started = programs_->Start(programs); !started) {
    return started;
  }
  return programs_->AwaitReady(settings_.ready_timeout_ns, [this] {
    if (progress_) {
      progress_({true, 0, 0, 0});
    }
    return Cancelled();
  });
}

void Executing::SampleSteal() {
  if (const auto stat = cpu_stat_.Read()) {
    StealSample sample;
    sample.at_ns = MonotonicNs();
    for (const CpuTimes& core : stat->cores) {
      sample.steal_ns.push_back(core.steal_ns);
    }
    trace_.steal.push_back(std::move(sample));
  }
}

void Executing::Drain() {
  crew_.Drain([this](const JobRecord& job) {
    missed_ += job.missed() ? 1 : 0;
    if (trace_.jobs.size() < kMostJobs) {
      trace_.jobs.push_back(job);
    } else {
      ++beyond_;
    }
  });
}

void Executing::Watch() {
  for (;;) {
    ended_task_ = programs_->Poll(kTickMs);
    SampleSteal();
    Drain();
    const int64_t now_ns = MonotonicNs();
    if (progress_) {
      progress_({false, std::max<int64_t>(0, now_ns - times_.start_ns),
                 static_cast<int64_t>(trace_.jobs.size()) + beyond_, missed_});
    }
    if (ended_task_ || crew_.any_hung() || Cancelled()) {
      crew_.StopAll();
      break;
    }
    if (now_ns >= times_.end_ns) {
      break;
    }
  }
  crew_.Join();
  execution_.elapsed_ns = std::max<int64_t>(
      0, std::min(MonotonicNs(), times_.end_ns) - times_.start_ns);
  SampleSteal();
  Drain();
}

std::optional<Error> Executing::Failure() const {
  if (const auto hung = crew_.hung_task()) {
    return Error{
        ErrorCode::kInvalid,
        "task " + settings_.plan.tasks[*hung].name +
            " did not end a job within " +
            FormatDuration(static_cast<double>(settings_.watchdog_ns)) +
            ": it hangs, or --watchdog is too short" +
            programs_->LastWordsOf(*hung)};
  }
  if (ended_task_ && !execution_.cancelled) {
    return programs_->EndOf(*ended_task_);
  }
  return std::nullopt;
}

Result<Execution> Executing::Conclude() {
  execution_.broken_assumptions = crew_.broken_assumptions();
  if (execution_.elapsed_ns > 0) {
    execution_.dispatcher_percent = 100.0 *
                                    static_cast<double>(crew_.cpu_ns()) /
                                    static_cast<double>(execution_.elapsed_ns);
  }
  if (const int64_t lost = crew_.lost_records() + beyond_; lost > 0) {
    execution_.warnings.push_back(FormatCount(lost, "job") +
                                  " could not be recorded; no figure has them");
  }
  trace_.groups = crew_.Groups();
  trace_.accounts = crew_.Accounts();
  for (size_t i = 0; i < settings_.plan.tasks.size(); ++i) {
    TaskExecution task;
    task.task = settings_.plan.tasks[i];
    task.run_id = programs_->RunOf(i);
    execution_.tasks.push_back(std::move(task));
  }
  JudgeExecution(settings_.plan, trace_, execution_);
  auto run_id = RecordExecution(home_, settings_.plan_name, trace_, execution_);
  if (!run_id) {
    return run_id.error();
  }
  execution_.run_id = *run_id;
  return std::move(execution_);
}

Result<Execution> Executing::Run() {
  execution_.naive = settings_.naive;
  execution_.group = settings_.group.empty() ? NewRunId() : settings_.group;
  std::optional<LatencyHold> hold;
  if (settings_.hold_latency) {
    auto taken = LatencyHold::Take();
    if (!taken) {
      return taken.error();
    }
    hold.emplace(std::move(*taken));
  }
  if (const Result<void> started = StartPrograms(); !started) {
    if (execution_.cancelled) {
      return std::move(execution_);
    }
    return started.error();
  }
  times_ = {MonotonicNs() + kLeadNs, 0, settings_.watchdog_ns};
  times_.end_ns = times_.start_ns + settings_.duration_ns;
  execution_.start_ns = times_.start_ns;
  SampleSteal();
  crew_.Start(times_);
  Watch();
  programs_->Stop(crew_.hung_task() ? 0 : settings_.grace_ns);
  if (auto failure = Failure()) {
    return std::move(*failure);
  }
  return Conclude();
}

}  // namespace

Result<Execution> Execute(const std::filesystem::path& home,
                          const ExecuteSettings& settings,
                          const ExecuteListener& progress) {
  std::vector<std::string> warnings;
  if (const Result<void> checked = CheckExecutable(settings.plan, &warnings);
      !checked) {
    return checked.error();
  }
  if (!settings.wants_proof) {
    warnings.clear();
  }
  const bool wanted = !settings.naive && NeedsRealtime(settings.plan);
  const int refused = wanted ? TryRealtime() : 0;
  ExecuteSettings permitted = settings;
  if (refused != 0) {
    auto plan =
        PlanWithoutRealtime(settings.plan, ErrnoText(refused), &warnings);
    if (!plan) {
      return plan.error();
    }
    permitted.plan = std::move(*plan);
  }
  return Executing(home, permitted, progress, wanted && refused == 0,
                   std::move(warnings))
      .Run();
}

}  // namespace edgewise
