#include <algorithm>
#include <map>
#include <set>

#include "base/units.h"
#include "client/release_layout.h"
#include "execution/execute.h"
#include "execution/thread_class.h"
#include "probes/machine.h"

namespace edgewise {
namespace {

Error Invalid(std::string message) {
  return Error{ErrorCode::kInvalid, std::move(message)};
}

Result<void> CheckTask(const PlannedTask& task) {
  const std::string name = "task " + task.name + ": ";
  if (task.command.empty()) {
    return Invalid(name +
                   "the plan has no command for it; write `command:` into the "
                   "plan or its card");
  }
  if (task.period_ns <= 0 || task.deadline_ns <= 0 || task.wcet_ns <= 0) {
    return Invalid(name + "period, deadline and wcet must be above 0");
  }
  if (task.on_miss == MissPolicy::kAbort && !task.process_per_job) {
    return Invalid(name +
                   "on_miss: abort needs process_per_job: true; a job within "
                   "a program that goes on cannot be ended");
  }
  return CheckPolicy(task);
}

}  // namespace

Result<void> CheckPolicy(const PlannedTask& task) {
  const std::string name = "task " + task.name + ": ";
  const bool realtime = task.executor != Executor::kOther;
  if (realtime && task.quota_cores) {
    return Invalid(name +
                   "a real-time task cannot have a CPU quota: the quota would "
                   "stop it within a job; take the executor `other`");
  }
  const bool fixed =
      task.executor == Executor::kFifo || task.executor == Executor::kRr;
  if (fixed && (!task.priority || *task.priority < 1 ||
                *task.priority >= kDispatcherPriority)) {
    return Invalid(name + "the executor needs a priority of 1 to " +
                   std::to_string(kDispatcherPriority - 1));
  }
  return {};
}

Result<void> CheckExecutable(const Plan& plan,
                             std::vector<std::string>* warnings) {
  if (plan.tasks.empty()) {
    return Invalid("the plan has no tasks");
  }
  std::set<std::string> names;
  std::map<int, uint32_t> on_core;
  std::map<int, int> on_ladder;
  for (const PlannedTask& task : plan.tasks) {
    if (!names.insert(task.name).second) {
      return Invalid("two tasks of the plan are called " + task.name);
    }
    if (const Result<void> checked = CheckTask(task); !checked) {
      return checked;
    }
    const int core = task.cores.empty() ? -1 : task.cores.front();
    constexpr int kRungs = kLadderTop - kLadderBottom + 1;
    if (task.executor == Executor::kEdfPreemptive &&
        ++on_ladder[core] > kRungs) {
      return Invalid("more than " + std::to_string(kRungs) +
                     " tasks of edf-preemptive on core " +
                     std::to_string(core) + ": there are no more priorities");
    }
    if (++on_core[core] > client::kMaxReleaseSlots) {
      return Invalid("more than " + std::to_string(client::kMaxReleaseSlots) +
                     " tasks on core " + std::to_string(core));
    }
  }
  for (const PlannedCore& core : plan.cores) {
    if (!core.proof.schedulable) {
      warnings->push_back("the plan is not proven for core " +
                          FormatCpuList(core.cores) + ": " +
                          core.proof.verdict);
    }
  }
  if (plan.cores.empty()) {
    warnings->emplace_back(
        "the plan has no proofs; what it promises is taken as it is written "
        "(edgewise plan proves it)");
  }
  if (!plan.machine.empty() && plan.machine != ReadMachine().fingerprint) {
    warnings->push_back(
        "the plan was made for another machine" +
        (plan.machine_name.empty() ? "" : " (" + plan.machine_name + ")") +
        ": its times are of that one; make cards and a plan on this one");
  }
  return {};
}

}  // namespace edgewise
