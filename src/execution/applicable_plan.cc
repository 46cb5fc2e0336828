#include "execution/applicable_plan.h"

#include <algorithm>
#include <cmath>
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
  scheduling::CoreRules rules;
  rules.executor = executor;
  rules.reserve_permille = std::llround(std::min(plan.reserve, 0.9) * 1000);
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
  bool lost = false;
  bool ordered = false;
  for (const auto& [cores, members] : groups) {
    const Executor planned = plan.tasks[members.front()].executor;
    const bool mixed = std::ranges::any_of(
        members, [&](size_t i) { return plan.tasks[i].executor != planned; });
    const Executor executor = AppliedExecutor(planned, may_be_realtime);
    const bool changed = std::ranges::any_of(members, [&](size_t i) {
      const Executor was = plan.tasks[i].executor;
      lost = lost || (was != Executor::kOther && !may_be_realtime);
      ordered =
          ordered || (may_be_realtime && AppliedExecutor(was, true) != was);
      return AppliedExecutor(was, may_be_realtime) != was;
    });
    if (mixed && may_be_realtime) {
      if (CoreOf(applied, cores) == nullptr) {
        applied.cores.push_back({cores, 0, {}});
      }
      Proof& proof = CoreOf(applied, cores)->proof;
      proof.schedulable = false;
      proof.verdict =
          "Its tasks have different executors, which no test "
          "covers.";
      for (const size_t i : members) {
        PlannedTask& task = applied.tasks[i];
        if (AppliedExecutor(task.executor, true) != task.executor) {
          return Error{ErrorCode::kInvalid,
                       "task " + task.name + " (" +
                           std::string(ExecutorName(task.executor)) +
                           ") shares core " + FormatCpuList(cores) +
                           " with tasks of other executors: use `edgewise "
                           "exec`, or one executor for all"};
        }
      }
    } else if (changed || CoreOf(applied, cores) == nullptr) {
      if (const Result<void> proven = Reprove(applied, members, executor);
          !proven) {
        return proven.error();
      }
    }
    const PlannedCore* core = CoreOf(applied, cores);
    if (core != nullptr && !core->proof.schedulable) {
      warnings->push_back("the proof does not hold for core " +
                          FormatCpuList(cores) + " as it is applied: " +
                          (core->proof.witness.empty() ? core->proof.verdict
                                                       : core->proof.witness));
    }
  }
  if (ordered) {
    warnings->insert(
        warnings->begin(),
        "programs that run by themselves have no executor to order them by "
        "deadline: edf becomes fixed priorities, and the proof is redone for "
        "that (edgewise exec runs the plan as it is)");
  }
  if (lost) {
    warnings->insert(warnings->begin(),
                     "real-time policies are not permitted here: tasks keep "
                     "the ordinary one, and the proof is redone for that; run "
                     "as root or with CAP_SYS_NICE");
  }
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
