#include "scheduling/prove_core.h"

#include <string>
#include <utility>

#include "base/units.h"
#include "scheduling/edf.h"
#include "scheduling/edf_response.h"
#include "scheduling/priority_order.h"
#include "scheduling/proof_assumptions.h"
#include "scheduling/prove_global.h"
#include "scheduling/sensitivity.h"
#include "scheduling/supply.h"

namespace edgewise::scheduling {
namespace {

std::string Text(int64_t ns) { return FormatDuration(static_cast<double>(ns)); }

void Fail(Proof& proof, int64_t witness_ns, std::string witness) {
  proof.schedulable = false;
  proof.witness_ns = witness_ns;
  proof.witness = std::move(witness);
}

void SetBounds(CoreProof& core, const ResponseBounds& bounds) {
  for (size_t i = 0; i < bounds.size(); ++i) {
    core.tasks[i].response_bound_ns = bounds[i];
  }
}

// Bounds of EDF; where they take too long, what the verdict says.
Result<void> BoundEdf(std::span<const Task> tasks,
                      std::span<const Task> charged, bool preemptive,
                      CoreProof& core) {
  Result<ResponseBounds> bounds = EdfResponses(charged, preemptive);
  if (bounds.ok()) {
    SetBounds(core, *bounds);
    return {};
  }
  if (bounds.error().code != ErrorCode::kUnsupported) return bounds.error();
  for (size_t i = 0; core.proof.schedulable && i < tasks.size(); ++i) {
    core.tasks[i].response_bound_ns = tasks[i].deadline_ns;
  }
  return {};
}

Result<void> ProveEdf(std::span<const Task> tasks,
                      std::span<const Task> charged, bool preemptive,
                      CoreProof& core) {
  core.proof.test = preemptive ? "processor demand (QPA), preemptive EDF; exact"
                               : "processor demand (QPA) with blocking, "
                                 "non-preemptive EDF; exact";
  Result<EdfVerdict> verdict = AnalyseEdf(charged, {.preemptive = preemptive});
  if (!verdict.ok()) return verdict.error();
  core.proof.schedulable = verdict->schedulable;
  if (verdict->witness) {
    Fail(core.proof, verdict->witness->t_ns, Explain(*verdict->witness));
  } else if (!verdict->schedulable) {
    core.proof.witness = "The tasks need a little more than the whole core.";
  }
  return BoundEdf(tasks, charged, preemptive, core);
}

Result<void> ProvePriorities(std::span<const Task> tasks,
                             std::span<const Task> charged, CoreProof& core) {
  core.proof.test = "response times, preemptive fixed priorities; exact";
  Result<std::optional<PriorityOrder>> found = OptimalPriorities(charged);
  if (!found.ok()) return found.error();
  const PriorityOrder order = *found ? **found : DeadlineMonotonic(charged);
  core.proof.schedulable = found->has_value();
  Result<ResponseBounds> bounds = PriorityResponses(InOrder(charged, order));
  if (!bounds.ok()) return bounds.error();
  for (size_t place = 0; place < order.size(); ++place) {
    ProvenTask& task = core.tasks[order[place]];
    const int64_t deadline_ns = tasks[order[place]].deadline_ns;
    task.response_bound_ns = (*bounds)[place];
    task.priority = std::max(1, kHighestPriority - static_cast<int>(place));
    if (!core.proof.witness.empty() ||
        (task.response_bound_ns && *task.response_bound_ns <= deadline_ns)) {
      continue;
    }
    const std::string name = "A job of " + tasks[order[place]].name;
    if (task.response_bound_ns) {
      Fail(core.proof, *task.response_bound_ns,
           name + " may take " + Text(*task.response_bound_ns) +
               " and is due after " + Text(deadline_ns) +
               "; no order of priorities is better for all.");
    } else {
      core.proof.witness = name + " may be put off without end.";
    }
  }
  return {};
}

Result<void> ProveQuotas(std::span<const Task> tasks, const CoreRules& rules,
                         CoreProof& core) {
  core.proof.test =
      "supply of each task's quota against its demand; exact for the worst "
      "supply";
  Result<std::vector<std::optional<int64_t>>> quotas = QuotasOf(tasks, rules);
  if (!quotas.ok()) return quotas.error();
  Result<bool> holds = TestFor(rules)(tasks);
  if (!holds.ok()) return holds.error();
  core.proof.schedulable = *holds;
  double sum = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!(*quotas)[i]) {
      core.proof.witness =
          "Task " + tasks[i].name + " cannot meet its deadline with any quota.";
      return {};
    }
    const int64_t quota_ns = *(*quotas)[i];
    ProvenTask& task = core.tasks[i];
    task.quota_cores = static_cast<double>(quota_ns) /
                       static_cast<double>(rules.quota_period_ns);
    sum += *task.quota_cores;
    Result<Supply> supply = QuotaSupply(quota_ns, rules.quota_period_ns);
    if (!supply.ok()) return supply.error();
    const auto window_ns =
        tasks[i].deadline_ns <= tasks[i].period_ns
            ? supply->WindowFor(tasks[i].wcet_ns + rules.overheads.per_job_ns)
            : std::nullopt;
    task.response_bound_ns = tasks[i].deadline_ns;
    if (window_ns) {
      task.response_bound_ns =
          *window_ns + tasks[i].jitter_ns + rules.overheads.latency_ns;
    }
  }
  if (!*holds) {
    core.proof.witness =
        "A quota may come late by almost " + Text(2 * rules.quota_period_ns) +
        ", so the tasks need quotas of " +
        FormatDuration(sum * static_cast<double>(rules.quota_period_ns)) +
        " in every " + Text(rules.quota_period_ns) + ".";
  }
  return {};
}

// Real-time tasks that would be stopped by the kernel.
Result<void> CheckThrottling(std::span<const Task> tasks,
                             const CoreRules& rules, Proof& proof) {
  if (!proof.schedulable || !rules.throttling || !IsRealTime(rules.executor)) {
    return {};
  }
  Result<std::vector<Task>> loaded = AddOverheads(tasks, rules.overheads);
  if (!loaded.ok()) return loaded.error();
  Result<bool> unthrottled = StaysUnthrottled(
      *loaded, rules.throttling->runtime_ns, rules.throttling->period_ns);
  if (!unthrottled.ok()) return unthrottled.error();
  if (!*unthrottled) {
    Fail(proof, rules.throttling->period_ns,
         "Within some " + Text(rules.throttling->period_ns) +
             " the tasks may use more than the " +
             Text(rules.throttling->runtime_ns) +
             " after which the kernel stops real-time policies.");
  }
  return {};
}

// How much may grow; left out where it takes too long.
void AddGrowth(std::span<const Task> tasks, const CoreTest& test,
               CoreProof& core) {
  if (auto scale = LargestScalePermille(tasks, test); scale.ok() && *scale) {
    core.proof.growth = static_cast<double>(**scale) / 1000;
  }
  for (size_t i = 0; core.proof.schedulable && i < tasks.size(); ++i) {
    if (auto slack = SlackNs(tasks, i, test); slack.ok()) {
      core.tasks[i].wcet_slack_ns = *slack;
    }
  }
}

}  // namespace

Result<CoreProof> ProveCore(std::span<const Task> tasks, const CoreRules& rules,
                            int cores) {
  if (tasks.empty()) {
    return Error{ErrorCode::kInvalid, "There is nothing to prove: no tasks."};
  }
  Result<std::vector<Task>> charged = Charged(tasks, rules);
  if (!charged.ok()) return charged.error();
  CoreProof core;
  core.tasks.resize(tasks.size());
  CoreTest test = TestFor(rules);
  Result<void> proven;
  switch (rules.executor) {
    case Executor::kFifo:
    case Executor::kRr:
      proven = ProvePriorities(tasks, *charged, core);
      break;
    case Executor::kDeadline:
      test = GlobalTest(rules, cores);
      proven = ProveGlobal(tasks, rules, cores, core);
      break;
    case Executor::kOther:
      proven = tasks.size() > 1 ? ProveQuotas(tasks, rules, core)
                                : ProveEdf(tasks, *charged, true, core);
      break;
    case Executor::kEdf:
    case Executor::kEdfPreemptive:
      proven =
          ProveEdf(tasks, *charged, !RunsToCompletion(rules.executor), core);
      break;
  }
  if (proven.ok() && rules.executor != Executor::kDeadline) {
    proven = CheckThrottling(tasks, rules, core.proof);
  }
  if (!proven.ok()) return proven.error();
  if (tasks.size() > MostTasks(rules.executor)) {
    core.proof.schedulable = false;
    core.proof.witness = "There are more tasks than priorities.";
  }
  AddGrowth(tasks, test, core);
  core.proof.verdict =
      core.proof.schedulable
          ? "Every job meets its deadline."
          : (core.proof.witness.empty() ? "No proof was found."
                                        : "A deadline may be missed.");
  core.proof.assumptions = AssumptionsOf(tasks, rules, cores);
  return core;
}

}  // namespace edgewise::scheduling
