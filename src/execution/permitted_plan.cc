#include "execution/permitted_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "scheduling/make_plan.h"

namespace edgewise {
namespace {

// What a plan's task asks for once more, on the cores it has.
scheduling::TaskWish WishOf(const PlannedTask& task) {
  scheduling::TaskWish wish;
  wish.task = task;
  wish.allowed_cores = task.cores;
  const bool everywhere = task.executor == Executor::kDeadline;
  if (task.cores.size() > 1 && !everywhere) {
    wish.whole_cores = static_cast<int>(task.cores.size());
  }
  return wish;
}

void DropProofs(Plan& plan) {
  plan.cores.clear();
  for (PlannedTask& task : plan.tasks) {
    if (NeedsRealtime(task)) {
      task.executor = Executor::kEdf;
    }
    task.response_bound_ns.reset();
    task.slack_ns.reset();
    task.wcet_slack_ns.reset();
  }
}

}  // namespace

bool NeedsRealtime(const PlannedTask& task) {
  return task.executor != Executor::kOther;
}

bool NeedsRealtime(const Plan& plan) {
  return std::ranges::any_of(
      plan.tasks, [](const PlannedTask& task) { return NeedsRealtime(task); });
}

Result<Plan> PlanWithoutRealtime(const Plan& plan, const std::string& refusal,
                                 std::vector<std::string>* warnings) {
  const std::string what =
      "real-time policies were refused (" + refusal +
      "): jobs run one at a time on each core under the ordinary policy (edf)";
  constexpr char kRemedy[] = "; run as root or with CAP_SYS_NICE";
  Plan permitted = plan;
  if (!std::ranges::all_of(plan.tasks, [](const PlannedTask& task) {
        return NeedsRealtime(task);
      })) {
    DropProofs(permitted);
    warnings->push_back(what +
                        " beside tasks with quotas, and no test covers both: "
                        "nothing is proven" +
                        kRemedy);
    return permitted;
  }
  scheduling::PlanRequest request;
  // Nothing throttles the ordinary policy.
  request.rules = scheduling::RulesOf(plan, Executor::kEdf);
  request.rules.throttling.reset();
  for (const PlannedTask& task : plan.tasks) {
    request.tasks.push_back(WishOf(task));
    for (const int core : task.cores) {
      if (std::ranges::count(request.cores, core) == 0) {
        request.cores.push_back(core);
      }
    }
  }
  auto answer = scheduling::MakePlan(request);
  if (!answer) {
    return answer.error();
  }
  permitted.tasks = std::move(answer->plan.tasks);
  permitted.cores = std::move(answer->plan.cores);
  std::string found =
      "; the proof was redone for that and holds as long as other programs "
      "take no more than the plan's reserve of " +
      fmt::format("{:g}%", 100 * plan.reserve) + " of each core";
  if (!answer->found) {
    found = "; the proof was redone for that and fails";
    for (const PlannedCore& core : permitted.cores) {
      if (!core.proof.schedulable) {
        found += " on core " + FormatCpuList(core.cores) + " (" +
                 (core.proof.witness.empty() ? core.proof.verdict
                                             : core.proof.witness) +
                 ")";
      }
    }
  }
  warnings->push_back(what + found + kRemedy);
  return permitted;
}

}  // namespace edgewise
