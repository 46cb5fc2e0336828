// The proof of one core of a plan: verdict, bounds, how much may grow, and what
// it all assumes.
#ifndef EDGEWISE_SCHEDULING_PROVE_CORE_H_
#define EDGEWISE_SCHEDULING_PROVE_CORE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "scheduling/core_rules.h"
#include "scheduling/plan.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Of the task at the same place in the list.
struct ProvenTask {
  // The longest from release to end; nullopt where nothing bounds it. Where the
  // analysis would take too long it is the deadline, if that is proven.
  std::optional<int64_t> response_bound_ns;
  // How much longer it may take, the others as they are; nullopt where the
  // proof fails already or this would take too long to tell.
  std::optional<int64_t> wcet_slack_ns;
  std::optional<int> priority;        // kFifo, kRr
  std::optional<int64_t> runtime_ns;  // kDeadline
  std::optional<double> quota_cores;  // kOther, not alone
};

struct CoreProof {
  Proof proof;
  std::vector<ProvenTask> tasks;
};

// `cores`: how many the tasks have together. More than one means a single task
// with cores of its own, except for kDeadline, whose tasks move freely among
// them. Refused: what CheckTimes refuses, no tasks, times that do not fit,
// parameters that SCHED_DEADLINE does not take.
Result<CoreProof> ProveCore(std::span<const Task> tasks, const CoreRules& rules,
                            int cores = 1);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_PROVE_CORE_H_
