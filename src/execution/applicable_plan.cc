#include "execution/applicable_plan.h"

#include <algorithm>
#include <map>

#include "base/units.h"
#include "execution/execute.h"
#include "probes/machine.h"
#include "scheduling/make_plan.h"
#include "scheduling/real_time_limits.h"
#include "sessions/settings.h"

namespace edgewise {
namespace {

PlannedCore* CoreOf(Plan& plan, const std::vector<int>& cores) {
  const auto found = std::ranges::find_if(
      plan.cores, [&](const PlannedCore& core) { return core.cores == cores; });
  return found == plan.cores.end() ? nullptr : &*found;
}

// What runs there once it is applied.
Executor AppliedExecutor(Executor planned, bool may_be_realtime) {
  if (!may_be_realtime) {
    return Executor::kOther;
  }
  return planned == Executor::kEdf || planned == Executor::kEdfPreemptive
             ? Executor::kFifo
             : planned;
}

// The tasks of one core proven under one executor, and the plan told of it.
Result<void> Reprove(Plan& plan, const std::vector<size_t>& members,
                     Executor executor) {
  Plan part;
  for (const size_t i : members) {
    part.tasks.push_back(plan.tasks[i]);
  }
  scheduling::CoreRules rules = scheduling::RulesOf(plan, executor);
  rules.throttling = scheduling::ReadThrottling();
  if (const Result<void> proven = scheduling::ProvePlan(part, rules); !proven) {
    return proven;
  }
  for (size_t k = 0; k < members.size(); ++k) {
    PlannedTask& task = part.tasks[k];
    if (executor == Executor::kOther && !part.cores.front().proof.schedulable) {
      task.quota_cores.reset();  // it would only do harm
    }
    plan.tasks[members[k]] = std::move(task);
  }
  PlannedCore* core = CoreOf(plan, part.cores.front().cores);
  if (core != nullptr) {
    *core = std::move(part.cores.front());
  } else {
    plan.cores.push_back(std::move(part.cores.front()));
  }
  return {};
}

// A core whose proof is not there, or cannot be made.
void SetUnproven(Plan& plan, const std::vector<int>& cores,
                 std::string verdict) {
  if (CoreOf(plan, cores) == nullptr) {
    plan.cores.push_back({cores, 0, {}});
  }
  Proof& proof = CoreOf(plan, cores)->proof;
  proof.schedulable = false;
  proof.verdict = std::move(verdict);
}

// Gives the tasks of one group of cores executors that the kernel has, with a
// proof. Whether anything had to be changed.
Result<bool> Adapt(Plan& plan, const std::vector<int>& cores,
                   const std::vector<size_t>& members, bool may_be_realtime) {
  const auto applied_as = [&](size_t i) {
    return AppliedExecutor(plan.tasks[i].executor, may_be_realtime);
  };
  const bool changes = std::ranges::any_of(members, [&](size_t i) {
    return applied_as(i) != plan.tasks[i].executor;
  });
  const Executor executor = plan.tasks[members.front()].executor;
  const bool mixed = std::ranges::any_of(
      members, [&](size_t i) { return plan.tasks[i].executor != executor; });
  if (mixed && may_be_realtime) {
    if (changes) {
      return Error{ErrorCode::kInvalid,
                   "core " + FormatCpuList(cores) +
                       " has tasks under edf beside others: use `edgewise "
                       "exec`, or one executor for all of them"};
    }
    SetUnproven(plan, cores,
                "Its tasks have different executors, which no test covers.");
  } else if (changes) {
    if (const Result<void> proven =
            Reprove(plan, members, applied_as(members.front()));
        !proven) {
      return proven.error();
    }
  } else if (CoreOf(plan, cores) == nullptr) {
    SetUnproven(plan, cores,
                "The plan has no proof; `edgewise plan` makes one.");
  }
  return changes;
}

}  // namespace

Result<void> CheckApplicable(const Plan& plan, bool force,
                             std::vector<std::string>* warnings) {
  const std::vector<int> usable = UsableCpus();
  for (const PlannedTask& task : plan.tasks) {
    if (const Result<void> checked = CheckPolicy(task); !checked) {
      return checked;
    }
    for (const int core : task.cores) {
      if (!usable.empty() && std::ranges::count(usable, core) == 0) {
        return Error{ErrorCode::kInvalid,
                     "task " + task.name + ": core " + std::to_string(core) +
                         " may not be used here: choose from " +
                         FormatCpuList(usable)};
      }
    }
  }
  if (!plan.machine.empty() && plan.machine != ReadMachine().fingerprint) {
    const std::string what =
        "the plan was made for another machine" +
        (plan.machine_name.empty() ? "" : " (" + plan.machine_name + ")") +
        ": its times are of that one";
    if (!force) {
      return Error{ErrorCode::kInvalid,
                   what + "; make cards and a plan here, or say --force"};
    }
    warnings->push_back(what);
  }
  return {};
}

Result<Plan> ApplicablePlan(const Plan& plan, bool may_be_realtime,
                            std::vector<std::string>* warnings) {
  Plan applied = plan;
  std::map<std::vector<int>, std::vector<size_t>> groups;
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    groups[plan.tasks[i].cores].push_back(i);
  }
  std::vector<std::string> unproven;
  bool changed = false;
  for (const auto& [cores, members] : groups) {
    const auto adapted = Adapt(applied, cores, members, may_be_realtime);
    if (!adapted) {
      return adapted.error();
    }
    changed = changed || *adapted;
    const Proof& proof = CoreOf(applied, cores)->proof;
    if (!proof.schedulable) {
      unproven.push_back(
          "the proof does not hold for core " + FormatCpuList(cores) +
          " as it is applied: " +
          (proof.witness.empty() ? proof.verdict : proof.witness));
    }
  }
  if (changed && may_be_realtime) {
    warnings->push_back(
        "programs that run by themselves have no executor to order them by "
        "deadline: edf becomes fixed priorities, and the proof is redone for "
        "that (edgewise exec runs the plan as it is)");
  } else if (changed) {
    warnings->push_back(
        "real-time policies are not permitted here: tasks keep the ordinary "
        "one, and the proof is redone for that; run as root or with "
        "CAP_SYS_NICE");
  }
  warnings->insert(warnings->end(), unproven.begin(), unproven.end());
  return applied;
}

void BreakProof(Plan& plan, const PlannedTask& task, std::string_view why) {
  if (PlannedCore* core = CoreOf(plan, task.cores)) {
    core->proof.schedulable = false;
    core->proof.verdict = "What the proof is about could not be set.";
    core->proof.witness = why;
  }
}

bool IsProven(const Plan& plan) {
  return std::ranges::all_of(plan.tasks, [&](const PlannedTask& task) {
    return std::ranges::any_of(plan.cores, [&](const PlannedCore& core) {
      return core.cores == task.cores && core.proof.schedulable;
    });
  });
}

}  // namespace edgewise
