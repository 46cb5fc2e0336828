// Supply: how much of a core a task set is sure to get within any window.
#ifndef EDGEWISE_SCHEDULING_SUPPLY_H_
#define EDGEWISE_SCHEDULING_SUPPLY_H_

#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Nothing for up to `blackout_ns`, then `quota_ns` at the start of each
// `period_ns`. The default is a whole core.
struct Supply {
  int64_t quota_ns = 1;
  int64_t period_ns = 1;
  int64_t blackout_ns = 0;

  // The least that any window of t_ns >= 0 gets; at most t_ns.
  int64_t At(int64_t t_ns) const;
  // The shortest window that is sure to get demand_ns; nullopt beyond 64 bits.
  std::optional<int64_t> WindowFor(int64_t demand_ns) const;
};

// A budget of quota_ns somewhere in each period: the periodic resource of Shin
// and Lee (2003). The budget may come at the start of one period and at the
// end of the next, so there may be nothing for 2 (period - quota). What a CPU
// quota of a cgroup supplies on a core that others use too. Refused: a quota
// that is not above 0, or above the period.
Result<Supply> QuotaSupply(int64_t quota_ns, int64_t period_ns);

// A class that runs whenever it wants to until it has used its quota and then
// waits for the next period: real-time policies under the kernel's throttling
// (by default 950 of 1000 ms). Nothing for up to period - quota.
Result<Supply> ThrottledSupply(int64_t quota_ns, int64_t period_ns);

// The kernel's defaults of sched_rt_runtime_us and sched_rt_period_us.
inline constexpr int64_t kRealTimeRuntimeNs = 950'000'000;
inline constexpr int64_t kRealTimePeriodNs = 1'000'000'000;

// Whether tasks that meet their deadlines on a whole core can never use up the
// quota of a throttled class, so that the proof for the whole core holds under
// throttling: no window of one period holds more than quota_ns of their work,
// counting what was carried into it (Bertogna and Cirinei 2007).
Result<bool> StaysUnthrottled(std::span<const Task> tasks, int64_t quota_ns,
                              int64_t period_ns);

// The smallest quota in whole microseconds, of a period of period_ns, with
// which QuotaSupply keeps all deadlines under preemptive EDF; nullopt where
// even the whole core does not.
Result<std::optional<int64_t>> SmallestQuotaNs(std::span<const Task> tasks,
                                               int64_t period_ns);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_SUPPLY_H_
