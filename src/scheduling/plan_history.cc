#include "scheduling/plan_history.h"

#include <algorithm>
#include <map>

#include "scheduling/checked.h"
#include "scheduling/make_plan.h"

namespace edgewise::scheduling {
namespace {

Policy PolicyOf(Executor executor) {
  switch (executor) {
    case Executor::kEdf:
      return Policy::kNonPreemptiveEdf;
    case Executor::kFifo:
    case Executor::kRr:
      return Policy::kFixedPriority;
    case Executor::kEdfPreemptive:
    case Executor::kDeadline:
    case Executor::kOther:
      break;
  }
  return Policy::kEdf;
}

// The end of the picture, and whether that is the hyperperiod.
std::pair<int64_t, bool> EndOf(const Plan& plan, int64_t most_jobs) {
  std::optional<int64_t> cycle_ns = 1;
  double jobs_per_ns = 0;
  int64_t longest_ns = 0;
  for (const PlannedTask& task : plan.tasks) {
    cycle_ns = cycle_ns ? LeastCommonMultiple(*cycle_ns, task.period_ns)
                        : std::nullopt;
    jobs_per_ns += 1 / static_cast<double>(task.period_ns);
    longest_ns = std::max(longest_ns, task.period_ns);
  }
  const double most_ns = static_cast<double>(most_jobs) / jobs_per_ns;
  if (cycle_ns && static_cast<double>(*cycle_ns) <= most_ns) {
    return {*cycle_ns, true};
  }
  // At least one job of each, unless that alone is too many.
  const double end_ns = std::min(
      std::max(most_ns / 4, static_cast<double>(longest_ns)), most_ns * 4);
  return {std::max<int64_t>(1, static_cast<int64_t>(end_ns)), false};
}

}  // namespace

Result<PlanHistory> FirstHyperperiod(const Plan& plan, int64_t most_jobs) {
  PlanHistory history;
  if (plan.tasks.empty()) return history;
  std::tie(history.until_ns, history.whole) = EndOf(plan, most_jobs);
  std::map<std::vector<int>, std::vector<size_t>> groups;
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    groups[plan.tasks[i].cores].push_back(i);
  }
  for (auto& [cores, members] : groups) {
    std::stable_sort(members.begin(), members.end(), [&](size_t a, size_t b) {
      return plan.tasks[a].priority.value_or(0) >
             plan.tasks[b].priority.value_or(0);
    });
    std::vector<Task> tasks;
    for (const size_t i : members) {
      tasks.push_back(AnalysedTask(plan.tasks[i]));
    }
    SimulationRequest request;
    request.policy = PolicyOf(plan.tasks[members.front()].executor);
    // A task with cores of its own keeps all of them busy together.
    request.cores =
        members.size() > 1 ? std::max(1, static_cast<int>(cores.size())) : 1;
    request.until_ns = history.until_ns;
    Result<Simulation> simulated = Simulate(tasks, request);
    if (!simulated.ok()) return simulated.error();
    history.missed += simulated->missed;
    for (Slice slice : simulated->slices) {
      slice.task = members[slice.task];
      slice.core = cores.empty() ? 0 : cores[static_cast<size_t>(slice.core)];
      history.slices.push_back(slice);
    }
  }
  std::stable_sort(
      history.slices.begin(), history.slices.end(),
      [](const Slice& a, const Slice& b) { return a.start_ns < b.start_ns; });
  return history;
}

}  // namespace edgewise::scheduling
