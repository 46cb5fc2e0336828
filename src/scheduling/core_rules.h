// CoreRules: how a plan runs the jobs of a core, and the exact test that goes
// with it.
#ifndef EDGEWISE_SCHEDULING_CORE_RULES_H_
#define EDGEWISE_SCHEDULING_CORE_RULES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "scheduling/core_test.h"
#include "scheduling/plan.h"
#include "scheduling/supply.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// How long real-time policies may run within each period before the kernel
// stops them.
struct Throttling {
  int64_t runtime_ns = kRealTimeRuntimeNs;
  int64_t period_ns = kRealTimePeriodNs;
};

struct CoreRules {
  Executor executor = Executor::kEdf;
  // Thousandths of each core that the system takes, evenly: a job counts as
  // C / (1 - reserve). 0 to 900.
  int64_t reserve_permille = 0;
  Overheads overheads = {};
  std::optional<Throttling> throttling = Throttling{};  // nullopt: switched off
  // Of a CPU quota (kOther); what the controls set.
  int64_t quota_period_ns = 100'000'000;
};

// SCHED_FIFO and SCHED_RR priorities of a plan, from the top.
inline constexpr int kHighestPriority = 80;
// How many tasks a core can have: no more than there are priorities to tell
// them apart by.
size_t MostTasks(Executor executor);

// Whether the kernel's real-time throttling governs its jobs.
bool IsRealTime(Executor executor);
// Whether each job runs to its end once started.
bool RunsToCompletion(Executor executor);

// The tasks as the tests see them: overheads and reserve included. Refused:
// what AddOverheads refuses, a reserve outside its range.
Result<std::vector<Task>> Charged(std::span<const Task> tasks,
                                  const CoreRules& rules);

// kOther: the smallest quota of each task, in ns of rules.quota_period_ns, with
// which it meets its deadlines alone; nullopt where none does, or where the
// task has the core for itself and needs none.
Result<std::vector<std::optional<int64_t>>> QuotasOf(
    std::span<const Task> tasks, const CoreRules& rules);

// Whether one core holds the tasks. kDeadline is not pinned; its test is that
// of preemptive EDF, for a core that is a domain of its own.
CoreTest TestFor(const CoreRules& rules);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_CORE_RULES_H_
