// What dispatching itself takes, seen from the jobs of an execution.
#ifndef EDGEWISE_EXECUTION_DISPATCH_COSTS_H_
#define EDGEWISE_EXECUTION_DISPATCH_COSTS_H_

#include <span>
#include <vector>

#include "execution/job_record.h"
#include "scheduling/plan.h"

namespace edgewise {

struct DispatchCosts {
  // Release to start, of jobs that found the core without a job.
  std::vector<double> latency_ns;
  // Of jobs of Executor::kEdf that waited for another to end: from its end to
  // their start.
  std::vector<double> hand_over_ns;
};

// Adds those of one dispatcher's jobs, which ascend in start.
void AddCosts(const Plan& plan, std::span<const JobRecord> jobs,
              DispatchCosts& costs);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_DISPATCH_COSTS_H_
