#include "scheduling/explain_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "scheduling/more_room.h"
#include "scheduling/prove_core.h"

namespace edgewise::scheduling {
namespace {

std::string Text(int64_t ns) { return FormatDuration(static_cast<double>(ns)); }

// Which other cores would hold the task, and why the rest would not.
std::string Elsewhere(const PlanRequest& request, const Plan& plan,
                      size_t index) {
  const std::vector<int>& allowed = request.tasks[index].allowed_cores;
  std::vector<int> would;
  std::string why_not;
  for (const int core : request.cores) {
    const bool is_here = std::ranges::count(plan.tasks[index].cores, core) > 0;
    const bool may = allowed.empty() || std::ranges::count(allowed, core) > 0;
    if (is_here || !may) continue;
    std::vector<Task> together;
    bool whole = false;
    for (size_t i = 0; i < plan.tasks.size(); ++i) {
      if (std::ranges::count(plan.tasks[i].cores, core) == 0) continue;
      whole = whole || request.tasks[i].whole_cores > 0;
      together.push_back(AnalysedTask(plan.tasks[i]));
    }
    together.push_back(AnalysedTask(plan.tasks[index]));
    if (whole) {
      why_not += fmt::format(" Core {} belongs to another task alone.", core);
      continue;
    }
    Result<CoreProof> proof = ProveCore(together, request.rules);
    if (proof.ok() && proof->proof.schedulable) {
      would.push_back(core);
    } else if (proof.ok()) {
      why_not += fmt::format(" Not core {}: {}", core, proof->proof.witness);
    }
  }
  std::string text;
  if (!would.empty()) {
    const bool compared = request.most_room && !request.fewest_cores &&
                          request.tasks.size() <= kMostTasksToMove;
    text = fmt::format(" Core {} would hold it too{}.", FormatCpuList(would),
                       compared ? ", but leave no more room for jobs that take "
                                  "longer"
                                : "");
  }
  return text + why_not;
}

std::string WhyHere(const PlanRequest& request, const Plan& plan,
                    size_t index) {
  const TaskWish& wish = request.tasks[index];
  const PlannedTask& task = plan.tasks[index];
  std::string text = fmt::format(
      "{} (C {}, every {}, due after {}): ", task.name, Text(task.wcet_ns),
      Text(task.period_ns), Text(task.deadline_ns));
  if (request.rules.executor == Executor::kDeadline) {
    return text + "any of the cores " + FormatCpuList(task.cores) + ".";
  }
  text +=
      (task.cores.size() > 1 ? "cores " : "core ") + FormatCpuList(task.cores);
  if (wish.whole_cores > 0) {
    return text + ", for itself alone: its threads use more than one core.";
  }
  if (!wish.allowed_cores.empty()) {
    text += " (it may use " + FormatCpuList(wish.allowed_cores) + " only)";
  }
  text += ".";
  if (task.response_bound_ns) {
    text += fmt::format(" Its jobs end within {} of their release",
                        Text(*task.response_bound_ns));
    text += task.wcet_slack_ns ? fmt::format(", and could take {} longer.",
                                             Text(*task.wcet_slack_ns))
                               : ".";
  }
  if (request.cores.size() > 1) text += Elsewhere(request, plan, index);
  return text;
}

}  // namespace

std::string_view WhyExecutor(Executor executor) {
  switch (executor) {
    case Executor::kEdf:
      return "edf: of the ready jobs the one with the earliest deadline runs, "
             "to its end. Nothing is interrupted, so caches stay warm and jobs "
             "of one core need no locks; a long job blocks a short deadline.";
    case Executor::kEdfPreemptive:
      return "edf-preemptive: the job with the earliest deadline runs, "
             "whatever it interrupts. No other way loads one core higher.";
    case Executor::kFifo:
      return "fifo: fixed real-time priorities, the shortest deadlines first "
             "where that works. The kernel keeps them without any executor.";
    case Executor::kRr:
      return "rr: as fifo; no two tasks share a priority, so that taking turns "
             "never happens.";
    case Executor::kDeadline:
      return "deadline: the kernel's SCHED_DEADLINE, earliest deadline first "
             "over all cores, each job kept within its runtime.";
    case Executor::kOther:
      return "other: the ordinary policy, for where real-time ones are not "
             "permitted. A task alone on its core needs nothing more; tasks "
             "that share one get quotas, which waste much of it.";
  }
  return "";
}

std::vector<std::string> ExplainPlan(const PlanRequest& request,
                                     const PlanAnswer& answer) {
  std::vector<std::string> sentences = {
      std::string(WhyExecutor(request.rules.executor)), answer.statement};
  for (size_t i = 0; i < answer.plan.tasks.size(); ++i) {
    sentences.push_back(WhyHere(request, answer.plan, i));
  }
  return sentences;
}

}  // namespace edgewise::scheduling
