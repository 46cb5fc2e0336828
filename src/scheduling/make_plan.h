// From tasks to a plan: who runs where and how, each core with its proof; or
// the statement that there is no such plan.
#ifndef EDGEWISE_SCHEDULING_MAKE_PLAN_H_
#define EDGEWISE_SCHEDULING_MAKE_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "scheduling/core_rules.h"
#include "scheduling/plan.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// A task that is to be planned.
struct TaskWish {
  // Name, command, times, memory and where they come from; what a plan decides
  // is ignored.
  PlannedTask task;
  std::vector<int> allowed_cores;  // empty: any
  int whole_cores = 0;             // above 0: so many for itself
};

struct PlanRequest {
  std::vector<TaskWish> tasks;
  std::vector<int> cores;
  std::optional<int64_t> memory_bytes;  // all tasks together
  CoreRules rules;
  bool fewest_cores = false;  // search for a partition onto the fewest
  // Else: of those found, one in which jobs may take longer (more_room.h).
  bool most_room = true;
  int64_t most_nodes = 300'000;
};

struct PlanAnswer {
  bool found = false;
  // Not found: whether it is certain that there is none. Where the test of the
  // executor is only sufficient, or the search ended early, it is not.
  bool certain = true;
  std::string statement;
  // Not found: the nearest, with at least one proof that fails.
  Plan plan;
};

// Wishes as the analyses see them.
std::vector<Task> TasksOf(const PlanRequest& request);

// Refused: what CheckTasks and MakePartition refuse, a task that needs whole
// or particular cores under SCHED_DEADLINE, which runs on all of them. The
// plan's machine and time of creation are left to the caller.
Result<PlanAnswer> MakePlan(const PlanRequest& request);

// The task as the analyses see it.
Task AnalysedTask(const PlannedTask& planned);

// The rules that a plan was proven under, but for the executor and the
// kernel's throttling, which is taken to be the usual one.
CoreRules RulesOf(const Plan& plan, Executor executor);

// Proves each group of tasks that share cores, and writes bounds, priorities,
// runtimes and quotas into the tasks and proofs into plan.cores. The rules'
// executor governs all. Refused as in ProveCore.
Result<void> ProvePlan(Plan& plan, const CoreRules& rules);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_MAKE_PLAN_H_
