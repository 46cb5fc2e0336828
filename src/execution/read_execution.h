// Executions back from the Runs they were stored as, judged anew.
#ifndef EDGEWISE_EXECUTION_READ_EXECUTION_H_
#define EDGEWISE_EXECUTION_READ_EXECUTION_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "execution/execution.h"
#include "scheduling/plan.h"
#include "store/store.h"

namespace edgewise {

// Of a schedule's Run: Run::kind, and Run::group_role.
inline constexpr std::string_view kExecutionKind = "exec";
inline constexpr std::string_view kNaiveRole = "naive";
inline constexpr std::string_view kPlannedRole = "planned";

// The executions of one group: the lab's way first, then as planned, the last
// stored of each. `plan` is what was executed: bounds and C come from it.
// Refused: a group without an execution, tasks that the plan does not have, and
// deadlines other than the plan's, which were of another plan.
//
// The numbers of jobs follow from their releases.
Result<std::vector<Execution>> ReadExecutions(const Store& store,
                                              const std::string& group,
                                              const Plan& plan);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_READ_EXECUTION_H_
