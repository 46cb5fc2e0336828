#include "scheduling/sched_deadline.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/units.h"
#include "scheduling/checked.h"

namespace edgewise::scheduling {
namespace {

// The kernel keeps bandwidths in units of 2^-20 of a core.
constexpr int kBandwidthBits = 20;

Int128 Bandwidth(int64_t runtime_ns, int64_t period_ns) {
  return (Int128{runtime_ns} << kBandwidthBits) / period_ns;
}

double InCores(Int128 bandwidth) {
  return static_cast<double>(bandwidth) /
         static_cast<double>(1 << kBandwidthBits);
}

constexpr std::array<std::string_view, 3> kGuarantees = {
    "On one core each task whose deadline is its period gets its runtime in "
    "every period, whatever others do.",
    "A task that wants more than its runtime waits for its next period and "
    "delays no other.",
    "On several cores no job ends later than a bound after its deadline, if "
    "the admission test passes."};

constexpr std::array<std::string_view, 5> kCaveats = {
    "The kernel admits by load alone; on more than one core that does not "
    "prove that deadlines are met.",
    "Scheduling is global over the root domain: affinity is refused unless "
    "an exclusive cpuset (or a partition of cgroup v2) makes a domain of its "
    "own.",
    "A task cannot fork unless it was started with RESET_ON_FORK; its children "
    "then run without a guarantee.",
    "The runtime must cover the longest execution time measured under load; "
    "a job that overruns it is put off to the next period.",
    "Time that firmware, a hypervisor or interrupts take is not accounted "
    "for."};

}  // namespace

Result<DeadlineParameters> ParametersFor(const Task& task,
                                         const DeadlineLimits& limits) {
  if (Result<void> valid = CheckTimes({&task, 1}); !valid.ok()) {
    return valid.error();
  }
  const auto refuse = [&](const std::string& why) {
    return Error{
        ErrorCode::kInvalid,
        "Task \"" + task.name + "\" cannot use SCHED_DEADLINE: " + why};
  };
  const auto text = [](int64_t ns) {
    return FormatDuration(static_cast<double>(ns));
  };
  if (task.period_ns < limits.least_period_ns ||
      task.period_ns > limits.longest_period_ns) {
    return refuse("its period must be between " + text(limits.least_period_ns) +
                  " and " + text(limits.longest_period_ns) +
                  "; choose another or another policy.");
  }
  DeadlineParameters parameters;
  parameters.runtime_ns = std::max(task.wcet_ns, limits.least_runtime_ns);
  parameters.deadline_ns =
      std::min(task.deadline_ns - task.jitter_ns, task.period_ns);
  parameters.period_ns = task.period_ns;
  if (parameters.runtime_ns > parameters.deadline_ns) {
    return refuse("it needs " + text(parameters.runtime_ns) + " but has " +
                  text(std::max<int64_t>(0, parameters.deadline_ns)) +
                  " before its deadline or next period; give it less to do "
                  "or more time.");
  }
  return parameters;
}

Admission AdmitDeadlineTasks(std::span<const DeadlineParameters> tasks,
                             int cores, int64_t throttle_runtime_ns,
                             int64_t throttle_period_ns) {
  Int128 load = 0;
  for (const DeadlineParameters& task : tasks) {
    load += Bandwidth(task.runtime_ns, task.period_ns);
  }
  const Int128 limit =
      Bandwidth(throttle_runtime_ns, throttle_period_ns) * cores;
  return {load <= limit, InCores(load), InCores(limit)};
}

std::span<const std::string_view> DeadlineGuarantees() { return kGuarantees; }
std::span<const std::string_view> DeadlineCaveats() { return kCaveats; }

}  // namespace edgewise::scheduling
