// What a plan does from a common start on: one history, for pictures.
#ifndef EDGEWISE_SCHEDULING_PLAN_HISTORY_H_
#define EDGEWISE_SCHEDULING_PLAN_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "scheduling/plan.h"
#include "scheduling/simulate.h"

namespace edgewise::scheduling {

struct PlanHistory {
  // One job of a task on one core, without a break; `task` is its place in the
  // plan.
  std::vector<Slice> slices;
  int64_t until_ns = 0;
  // Whether that is a whole hyperperiod, after which all repeats.
  bool whole = false;
  int64_t missed = 0;  // deadlines, in this history
};

// All tasks are released together at 0 and every job takes its whole wcet_ns.
// Ends with the hyperperiod, or after about `most_jobs` jobs where that comes
// first. Tasks with quotas are shown as if they were served by deadline.
Result<PlanHistory> FirstHyperperiod(const Plan& plan, int64_t most_jobs = 400);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_PLAN_HISTORY_H_
