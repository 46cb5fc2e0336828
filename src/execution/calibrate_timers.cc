#include "execution/calibrate_timers.h"

#include <cmath>
#include <optional>
#include <string>

#include "base/clock.h"
#include "edgewise/edgewise.h"
#include "probes/machine.h"
#include "stats/summary.h"

namespace edgewise {
namespace {

constexpr int64_t kFewestPeriods = 100;
constexpr int kJobsAtOnce = 2;

Result<Plan> EmptyJobs(const CalibrateSettings& settings) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return Error{ErrorCode::kUnsupported,
                 "cannot tell where edgewise itself is (/proc/self/exe): " +
                     error.message()};
  }
  Plan plan;
  for (const int core : settings.cores) {
    for (int i = 0; i < kJobsAtOnce; ++i) {
      PlannedTask task;
      task.name = "core " + std::to_string(core) + (i == 0 ? "" : " next");
      task.command = {self.string(), kEmptyJobsWord};
      task.cores = {core};
      task.period_ns = settings.period_ns;
      task.deadline_ns = settings.period_ns;
      task.wcet_ns = settings.period_ns / (2 * kJobsAtOnce);
      plan.tasks.push_back(std::move(task));
    }
  }
  return plan;
}

int64_t Whole(const std::optional<double>& ns) {
  return static_cast<int64_t>(std::ceil(ns.value_or(0)));
}

MeasuredDelay DelayOf(const std::vector<double>& samples_ns) {
  const stats::SpanSummary summary = stats::Summarise(samples_ns);
  MeasuredDelay delay;
  delay.samples = summary.count;
  if (summary.count > 0) {
    delay.p50_ns = Whole(summary.p50->value);
    delay.p99_ns = Whole(summary.p99->value);
    delay.max_ns = Whole(summary.max);
    delay.bound_ns =
        summary.p999->sufficient() ? Whole(summary.p999->high) : delay.max_ns;
  }
  return delay;
}

}  // namespace

int RunEmptyJobs() {
  if (edgewise_claim_releases() != 1) {
    return 1;
  }
  uint64_t release_ns = 0;
  uint64_t deadline_ns = 0;
  int answer = 0;
  while ((answer = edgewise_next_release(&release_ns, &deadline_ns)) != -1) {
    if (answer == 1) {
      edgewise_release_done(edgewise_now_ns(), 0);
    }
  }
  return 0;
}

Result<TimerCalibration> CalibrateTimers(const std::filesystem::path& home,
                                         const CalibrateSettings& settings,
                                         const ExecuteListener& progress) {
  if (settings.cores.empty() || settings.period_ns <= 0 ||
      settings.duration_ns / kFewestPeriods < settings.period_ns) {
    return Error{ErrorCode::kInvalid,
                 "the duration must be at least 100 intervals, and there must "
                 "be a core to measure"};
  }
  ExecuteSettings execute;
  auto plan = EmptyJobs(settings);
  if (!plan) {
    return plan.error();
  }
  execute.plan = std::move(*plan);
  execute.plan_name = "timers";
  execute.wants_proof = false;
  execute.duration_ns = settings.duration_ns;
  execute.hold_latency = settings.hold_latency;
  auto execution = Execute(home, execute, progress);
  if (!execution) {
    return execution.error();
  }
  TimerCalibration calibration;
  MachineTimers& timers = calibration.timers;
  timers.machine = ReadMachine().fingerprint;
  timers.created = FormatUtc(UtcNs());
  timers.realtime = execution->realtime;
  timers.latency = DelayOf(execution->costs.latency_ns);
  timers.hand_over = DelayOf(execution->costs.hand_over_ns);
  calibration.execution = std::move(*execution);
  return calibration;
}

std::filesystem::path TimersFile(const std::filesystem::path& home) {
  return home / "timers.yaml";
}

}  // namespace edgewise
