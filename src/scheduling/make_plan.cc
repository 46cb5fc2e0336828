#include "scheduling/make_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "scheduling/more_room.h"
#include "scheduling/partition.h"
#include "scheduling/placement.h"
#include "scheduling/prove_core.h"

namespace edgewise::scheduling {
namespace {

using CoresOf = std::vector<std::vector<int>>;

Result<void> CheckGlobal(const PlanRequest& request) {
  for (const TaskWish& wish : request.tasks) {
    if (wish.whole_cores > 0 || !wish.allowed_cores.empty()) {
      return Error{ErrorCode::kInvalid,
                   "task " + wish.task.name +
                       " needs cores of its own, and SCHED_DEADLINE runs on "
                       "all of them: choose another executor"};
    }
  }
  return {};
}

Platform PlatformOf(const PlanRequest& request) {
  Platform platform{request.cores, {}};
  if (request.memory_bytes) {
    platform.memory.push_back({request.cores, *request.memory_bytes});
  }
  return platform;
}

// Tasks by decreasing load, those with whole cores first: each on the emptiest
// core that holds it, or just on the emptiest.
Result<CoresOf> NearestPartition(std::span<const Task> tasks,
                                 const Platform& platform,
                                 const CoreTest& test) {
  Placement placement(tasks, platform, test);
  std::vector<size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), 0);
  const auto load = [&](size_t task) { return Utilisation({&tasks[task], 1}); };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(tasks[a].whole_cores, load(a)) >
           std::pair(tasks[b].whole_cores, load(b));
  });
  for (const size_t task : order) {
    for (int left = std::max(1, tasks[task].whole_cores); left > 0; --left) {
      std::optional<size_t> best;
      bool best_fits = false;
      for (size_t core = 0; core < placement.core_count(); ++core) {
        const bool taken = tasks[task].whole_cores > 0
                               ? !placement.IsEmpty(core)
                               : placement.IsWhole(core);
        if (taken || !placement.Allows(task, core)) continue;
        Result<bool> fits = placement.Fits(task, core);
        if (!fits.ok()) return fits.error();
        if (!best || (*fits && !best_fits) ||
            (*fits == best_fits &&
             placement.Load(core) < placement.Load(*best))) {
          best = core;
          best_fits = *fits;
        }
      }
      if (!best) break;
      placement.Add(task, *best);
    }
  }
  CoresOf cores_of = placement.CoresOf();
  for (size_t task = 0; task < tasks.size(); ++task) {
    if (cores_of[task].empty()) cores_of[task] = {platform.cores.back()};
  }
  return cores_of;
}

void Assign(Plan& plan, const CoresOf& cores_of) {
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    plan.tasks[i].cores = cores_of[i];
  }
}

// No core failed, so what failed is what cores share.
void SayWhatIsShared(const PlanRequest& request, std::span<const Task> tasks,
                     PlanAnswer& answer) {
  const bool fails = std::ranges::any_of(
      answer.plan.cores,
      [](const auto& core) { return !core.proof.schedulable; });
  if (fails || answer.plan.cores.empty()) return;
  Proof& proof = answer.plan.cores.back().proof;
  int64_t bytes = 0;
  for (const Task& task : tasks) bytes += task.memory_bytes;
  proof.schedulable = false;
  proof.verdict = "The plan does not hold.";
  proof.witness = request.memory_bytes && bytes > *request.memory_bytes
                      ? "The tasks need more memory than there is."
                      : "There are too few cores for the tasks that need whole "
                        "ones.";
}

}  // namespace

Task AnalysedTask(const PlannedTask& planned) {
  Task task;
  task.name = planned.name;
  task.wcet_ns = planned.wcet_ns;
  task.period_ns = planned.period_ns;
  task.deadline_ns = planned.deadline_ns;
  task.jitter_ns = planned.jitter_ns;
  task.memory_bytes = planned.memory_bytes.value_or(0);
  return task;
}

std::vector<Task> TasksOf(const PlanRequest& request) {
  std::vector<Task> tasks;
  for (const TaskWish& wish : request.tasks) {
    Task task = AnalysedTask(wish.task);
    task.cores = wish.allowed_cores;
    task.whole_cores = wish.whole_cores;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

CoreRules RulesOf(const Plan& plan, Executor executor) {
  CoreRules rules;
  rules.executor = executor;
  rules.reserve_permille = std::llround(std::min(plan.reserve, 0.9) * 1000);
  rules.overheads = {plan.overhead_ns, plan.latency_ns};
  return rules;
}

Result<void> ProvePlan(Plan& plan, const CoreRules& rules) {
  std::map<std::vector<int>, std::vector<size_t>> groups;
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    groups[plan.tasks[i].cores].push_back(i);
  }
  plan.cores.clear();
  for (const auto& [cores, members] : groups) {
    std::vector<Task> tasks;
    for (const size_t i : members) {
      tasks.push_back(AnalysedTask(plan.tasks[i]));
    }
    Result<CoreProof> proven =
        ProveCore(tasks, rules, static_cast<int>(cores.size()));
    if (!proven.ok()) return proven.error();
    for (size_t k = 0; k < members.size(); ++k) {
      PlannedTask& task = plan.tasks[members[k]];
      const ProvenTask& found = proven->tasks[k];
      task.executor = rules.executor;
      task.priority = found.priority;
      task.runtime_ns = found.runtime_ns;
      task.quota_cores = found.quota_cores;
      task.response_bound_ns = found.response_bound_ns;
      task.wcet_slack_ns = found.wcet_slack_ns;
      task.slack_ns.reset();
      if (found.response_bound_ns) {
        task.slack_ns = task.deadline_ns - *found.response_bound_ns;
      }
    }
    plan.cores.push_back({cores, Utilisation(tasks), std::move(proven->proof)});
  }
  return {};
}

Result<PlanAnswer> MakePlan(const PlanRequest& request) {
  const std::vector<Task> tasks = TasksOf(request);
  if (Result<void> checked = CheckTasks(tasks); !checked.ok()) {
    return checked.error();
  }
  if (tasks.empty() || request.cores.empty()) {
    return Error{ErrorCode::kInvalid,
                 "a plan needs at least one task and one core"};
  }
  PlanAnswer answer;
  answer.plan.reserve =
      static_cast<double>(request.rules.reserve_permille) / 1000;
  answer.plan.latency_ns = request.rules.overheads.latency_ns;
  answer.plan.overhead_ns = request.rules.overheads.per_job_ns;
  for (const TaskWish& wish : request.tasks) {
    answer.plan.tasks.push_back(wish.task);
  }
  if (request.rules.executor == Executor::kDeadline) {
    if (Result<void> checked = CheckGlobal(request); !checked.ok()) {
      return checked.error();
    }
    Assign(answer.plan, CoresOf(tasks.size(), request.cores));
    if (Result<void> proven = ProvePlan(answer.plan, request.rules);
        !proven.ok()) {
      return proven.error();
    }
    answer.found = answer.plan.cores.front().proof.schedulable;
    answer.certain = answer.found || request.cores.size() == 1;
    answer.statement = answer.found ? "The kernel schedules all cores at once."
                                    : "No proof was found.";
    return answer;
  }
  const Platform platform = PlatformOf(request);
  const CoreTest test = TestFor(request.rules);
  PartitionRequest how;
  // Spreading leaves each core the most room to be wrong.
  how.fits = {Fit::kWorst, Fit::kFirst, Fit::kBest};
  how.fewest_cores = request.fewest_cores;
  how.most_nodes = request.most_nodes;
  Result<Partition> partition = MakePartition(tasks, platform, test, how);
  if (!partition.ok()) return partition.error();
  answer.found = partition->outcome == PartitionOutcome::kFound;
  answer.certain = partition->outcome != PartitionOutcome::kUndecided;
  answer.statement = partition->statement;
  Result<CoresOf> cores_of =
      answer.found ? Result<CoresOf>(std::move(partition->cores_of))
                   : NearestPartition(tasks, platform, test);
  if (!cores_of.ok()) return cores_of.error();
  if (answer.found && request.most_room && !request.fewest_cores) {
    cores_of = WithMoreRoom(tasks, std::move(*cores_of), request.cores, test);
  }
  Assign(answer.plan, *cores_of);
  if (Result<void> proven = ProvePlan(answer.plan, request.rules);
      !proven.ok()) {
    return proven.error();
  }
  if (!answer.found) SayWhatIsShared(request, tasks, answer);
  return answer;
}

}  // namespace edgewise::scheduling
