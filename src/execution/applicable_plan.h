// What of a plan the kernel can keep by itself, with the proof redone for that.
#ifndef EDGEWISE_EXECUTION_APPLICABLE_PLAN_H_
#define EDGEWISE_EXECUTION_APPLICABLE_PLAN_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scheduling/plan.h"

namespace edgewise {

// Refuses what must not be applied: a real-time task with a quota, fifo and rr
// without a priority, cores that may not be used here, a plan for another
// machine (unless `force`).
Result<void> CheckApplicable(const Plan& plan, bool force,
                             std::vector<std::string>* warnings);

// Programs that run by themselves have no executor: tasks under edf and
// edf-preemptive get fixed priorities instead; without the right to real-time
// policies all get the ordinary one. Proofs of cores that this concerns are
// made anew; what does not hold, or was never proven, is told.
Result<Plan> ApplicablePlan(const Plan& plan, bool may_be_realtime,
                            std::vector<std::string>* warnings);

// Takes the proof of the task's cores back, with the reason.
void BreakProof(Plan& plan, const PlannedTask& task, std::string_view why);

// Whether every task is on cores with a proof that holds.
bool IsProven(const Plan& plan);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_APPLICABLE_PLAN_H_
