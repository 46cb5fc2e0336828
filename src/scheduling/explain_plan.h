// Why a plan is as it is, in plain words.
#ifndef EDGEWISE_SCHEDULING_EXPLAIN_PLAN_H_
#define EDGEWISE_SCHEDULING_EXPLAIN_PLAN_H_

#include <string>
#include <string_view>
#include <vector>

#include "scheduling/make_plan.h"

namespace edgewise::scheduling {

// What the executor does, and what it is good for.
std::string_view WhyExecutor(Executor executor);

// First the executor, then for each task why it is on its core: which others
// would hold it as well, and why those that would not do not; every such
// sentence is a proof that was run.
std::vector<std::string> ExplainPlan(const PlanRequest& request,
                                     const PlanAnswer& answer);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_EXPLAIN_PLAN_H_
