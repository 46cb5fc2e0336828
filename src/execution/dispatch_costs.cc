#include "execution/dispatch_costs.h"

#include <algorithm>
#include <limits>

namespace edgewise {

void AddCosts(const Plan& plan, std::span<const JobRecord> jobs,
              DispatchCosts& costs) {
  int64_t busy_until_ns = std::numeric_limits<int64_t>::min();
  for (const JobRecord& job : jobs) {
    if (job.release_ns >= busy_until_ns) {
      costs.latency_ns.push_back(
          static_cast<double>(job.start_ns - job.release_ns));
    } else if (plan.tasks[job.task].executor == Executor::kEdf &&
               job.start_ns >= busy_until_ns) {
      costs.hand_over_ns.push_back(
          static_cast<double>(job.start_ns - busy_until_ns));
    }
    busy_until_ns = std::max(busy_until_ns, job.end_ns);
  }
}

}  // namespace edgewise
