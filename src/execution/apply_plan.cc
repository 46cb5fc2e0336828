#include "execution/apply_plan.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "execution/active_plan.h"
#include "execution/applicable_plan.h"
#include "execution/running_program.h"
#include "execution/thread_class.h"

namespace edgewise {
namespace {

Error Invalid(std::string message) {
  return Error{ErrorCode::kInvalid, std::move(message)};
}

Result<pid_t> FindProgram(const PlannedTask& task,
                          const std::map<std::string, pid_t>& pids) {
  const std::string name = "task " + task.name + ": ";
  const std::string how = " --pid " + task.name + "=PID";
  if (const auto given = pids.find(task.name); given != pids.end()) {
    if (!StartTicks(given->second)) {
      return Error{ErrorCode::kNotFound, name + "there is no process " +
                                             std::to_string(given->second)};
    }
    return given->second;
  }
  if (task.command.empty()) {
    return Invalid(name + "the plan has no command to find it by: give" + how);
  }
  if (task.process_per_job) {
    return Invalid(name +
                   "it is started anew for each job, which only `edgewise "
                   "exec` can do: give" +
                   how + " if it runs");
  }
  const std::vector<pid_t> found = ProcessesRunning(task.command);
  if (found.size() == 1) {
    return found.front();
  }
  const std::string command = "`" + ShellQuote(task.command) + "`";
  if (found.empty()) {
    return Error{ErrorCode::kNotFound, name + "no process runs " + command +
                                           ": start it, or give" + how};
  }
  std::vector<std::string> numbers;
  for (const pid_t pid : found) {
    numbers.push_back(std::to_string(pid));
  }
  return Invalid(name + "several processes run " + command + " (" +
                 Join(numbers, ", ") + "): choose with" + how);
}

}  // namespace

Result<ApplyReport> ApplyPlan(const std::filesystem::path& home,
                              const ApplyRequest& request,
                              const ChangeListener& listener) {
  ApplyReport report;
  if (const Result<void> checked =
          CheckApplicable(request.plan, request.force, &report.warnings);
      !checked) {
    return checked.error();
  }
  for (const auto& given : request.pids) {
    const std::string& name = given.first;
    if (std::ranges::none_of(request.plan.tasks, [&](const PlannedTask& task) {
          return task.name == name;
        })) {
      return Invalid("--pid names a task " + name + ", which the plan has not");
    }
  }
  std::vector<pid_t> pids;
  for (const PlannedTask& task : request.plan.tasks) {
    const auto pid = FindProgram(task, request.pids);
    if (!pid) {
      return pid.error();
    }
    if (const auto twice = std::ranges::find(pids, *pid); twice != pids.end()) {
      return Invalid(
          "tasks " +
          request.plan.tasks[static_cast<size_t>(twice - pids.begin())].name +
          " and " + task.name + " are the same process " +
          std::to_string(*pid) + ": start each, or give --pid");
    }
    pids.push_back(*pid);
  }
  auto applied =
      ApplicablePlan(request.plan, TryRealtime() == 0, &report.warnings);
  if (!applied) {
    return applied.error();
  }
  report.plan = std::move(*applied);
  std::optional<AppliedJournal> journal;
  if (!request.dry_run) {
    auto opened = AppliedJournal::Open(home);
    if (!opened) {
      return opened.error();
    }
    journal.emplace(std::move(*opened));
  }
  ProgramApplier applier(journal ? &*journal : nullptr, request.cpusets,
                         [&](const AppliedChange& change) {
                           report.changes.push_back(change);
                           if (listener) {
                             listener(change);
                           }
                         });
  for (size_t i = 0; i < pids.size(); ++i) {
    const PlannedTask& task = report.plan.tasks[i];
    const auto refused = applier.Apply(task, pids[i], &report.warnings);
    if (!refused) {
      return refused.error();
    }
    for (const std::string& what : *refused) {
      report.warnings.push_back(what + "; the proof does not hold any more");
      BreakProof(report.plan, task, what);
    }
  }
  report.proven = IsProven(report.plan);
  if (!request.dry_run) {
    ActivePlan active{report.plan, {}};
    for (size_t i = 0; i < pids.size(); ++i) {
      active.processes[report.plan.tasks[i].name] = {
          pids[i], StartTicks(pids[i]).value_or(0)};
    }
    if (const Result<void> added = AddActivePlan(home, active); !added) {
      return added.error();
    }
  }
  return report;
}

}  // namespace edgewise
