#include "experiments/fit_runs.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "experiments/observe.h"
#include "sessions/outcome.h"

namespace edgewise {
namespace {

// A limited trial that takes this many times the wall time aimed at has shown
// enough.
constexpr double kPatience = 2;

int64_t MemoryOfMachine() {
  return static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<int64_t>(::sysconf(_SC_PAGESIZE));
}

std::optional<double> CpuSeconds(const Totals& totals) {
  if (!totals.cpu_user_s || !totals.cpu_system_s) {
    return std::nullopt;
  }
  return *totals.cpu_user_s + *totals.cpu_system_s;
}

TrialEnd EndOf(const Run& run) {
  if (WasCancelled(run)) {
    return TrialEnd::kCancelled;
  }
  if (run.end_reason == EndReason::kOutOfMemory) {
    return TrialEnd::kOutOfMemory;
  }
  return ExitCodeOf(run) == 0 ? TrialEnd::kDone : TrialEnd::kFailed;
}

}  // namespace

std::vector<int> CoresAtHand(const SessionSettings& settings) {
  return settings.conditions.cpus.empty() ? UsableCpus()
                                          : settings.conditions.cpus;
}

FitRuns::FitRuns(Store& store, SessionSettings settings,
                 const FitRequest& request, ProgressListener progress)
    : store_(store),
      settings_(std::move(settings)),
      targets_(request.targets),
      cpus_(CoresAtHand(settings_)),
      max_runs_(request.max_runs),
      progress_(std::move(progress)),
      group_(NewRunId()) {
  settings_.group = group_;
  settings_.pass_output = false;
}

Result<Trial> FitRuns::Run(const ResourceLimits& limits) {
  SessionSettings settings = settings_;
  Conditions& conditions = settings.conditions;
  settings.repeat_index = made_++;
  settings.run_number = made_;
  settings.run_count = max_runs_;
  conditions.cpu_quota_cores = limits.cpu_cores;
  conditions.memory_limit_bytes =
      limits.memory_bytes.value_or(MemoryOfMachine());
  if (limits.cores) {
    conditions.cpus = cpus_;
    conditions.cpus.resize(
        std::min(cpus_.size(), static_cast<size_t>(*limits.cores)));
  }
  const bool limited = limits.cores || limits.memory_bytes ||
                       limits.cpu_cores < static_cast<double>(cpus_.size());
  for (const Target& target : targets_) {
    if (limited && target.kind == TargetKind::kWall) {
      const auto enough = static_cast<int64_t>(kPatience * target.limit);
      conditions.timeout_ns =
          std::min(conditions.timeout_ns.value_or(enough), enough);
    }
  }
  const auto run = RunSession(store_, settings, progress_);
  if (!run) {
    return run.error();
  }
  Trial trial;
  trial.limits = limits;
  trial.run_id = run->id;
  trial.end = EndOf(*run);
  trial.peak_bytes = run->totals.tree_peak_bytes;
  trial.cpu_s = CpuSeconds(run->totals);
  trial.wall_s = run->totals.wall_s;
  if (trial.end == TrialEnd::kDone) {
    auto observed = Observe(store_, *run, targets_);
    if (observed) {
      trial.observations = std::move(*observed);
    } else if (limited && observed.error().code == ErrorCode::kInvalid) {
      // The span is known from before: it came to none of them in time.
      trial.observations.resize(targets_.size());
    } else {
      return observed.error();
    }
  } else {
    trial.failure = FailureText(*run);
    trial.output_tail = run->output_tail;
  }
  return trial;
}

}  // namespace edgewise
