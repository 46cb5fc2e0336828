// A plan as this process may execute it.
#ifndef EDGEWISE_EXECUTION_PERMITTED_PLAN_H_
#define EDGEWISE_EXECUTION_PERMITTED_PLAN_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "scheduling/plan.h"

namespace edgewise {

// Whether a task's executor gives its jobs a real-time policy.
bool NeedsRealtime(const PlannedTask& task);
bool NeedsRealtime(const Plan& plan);

// Without the right to real-time policies (`refusal` says why) tasks that need
// them are executed by edf, one job at a time on each core, which needs no
// rights; the proof is redone for that, and what came of it is told. Tasks stay
// on their cores; those of SCHED_DEADLINE, which has all cores, are given one
// each. A plan that mixes them with others loses its proof.
Result<Plan> PlanWithoutRealtime(const Plan& plan, const std::string& refusal,
                                 std::vector<std::string>* warnings);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_PERMITTED_PLAN_H_
