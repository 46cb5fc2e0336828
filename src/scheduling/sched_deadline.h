// SCHED_DEADLINE: what to ask of the kernel for a task, whether it will agree,
// and what that is worth.
#ifndef EDGEWISE_SCHEDULING_SCHED_DEADLINE_H_
#define EDGEWISE_SCHEDULING_SCHED_DEADLINE_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scheduling/supply.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// The fields of struct sched_attr.
struct DeadlineParameters {
  int64_t runtime_ns = 0;
  int64_t deadline_ns = 0;
  int64_t period_ns = 0;

  bool operator==(const DeadlineParameters&) const = default;
};

// What the kernel allows; the periods are the defaults of
// sched_deadline_period_min_us and sched_deadline_period_max_us.
struct DeadlineLimits {
  int64_t least_runtime_ns = 1024;
  int64_t least_period_ns = 100'000;
  int64_t longest_period_ns = (int64_t{1} << 22) * 1000;
};

// Runtime: the execution time, at least what the kernel can account for.
// Deadline: less the jitter, and no later than the period. Refused, with what
// to do: a runtime beyond the deadline, periods outside the limits.
Result<DeadlineParameters> ParametersFor(const Task& task,
                                         const DeadlineLimits& limits = {});

// The kernel's rule over one root domain: the sum of runtime / period against
// runtime_ns / period_ns of real-time throttling on each core, in the kernel's
// own arithmetic (units of 2^-20, rounded down).
struct Admission {
  bool admitted = false;
  double load = 0;   // of one core
  double limit = 0;  // of one core: 1.9 for two cores
};
Admission AdmitDeadlineTasks(std::span<const DeadlineParameters> tasks,
                             int cores,
                             int64_t throttle_runtime_ns = kRealTimeRuntimeNs,
                             int64_t throttle_period_ns = kRealTimePeriodNs);

// Sentences for a plan.
std::span<const std::string_view> DeadlineGuarantees();
std::span<const std::string_view> DeadlineCaveats();

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_SCHED_DEADLINE_H_
