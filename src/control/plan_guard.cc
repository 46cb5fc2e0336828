#include "control/plan_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "scheduling/core_rules.h"
#include "scheduling/make_plan.h"
#include "scheduling/supply.h"

namespace edgewise::control {
namespace {

struct FoundTask {
  const Plan* plan = nullptr;
  const PlannedTask* task = nullptr;
};

FoundTask FindTask(const std::vector<ActivePlan>& plans, pid_t pid) {
  for (const ActivePlan& active : plans) {
    for (const PlannedTask& task : active.plan.tasks) {
      const auto process = active.processes.find(task.name);
      if (process != active.processes.end() && process->second.pid == pid) {
        return {&active.plan, &task};
      }
    }
  }
  return {};
}

// The least that a task under a quota of that period must get; nullopt where
// none is enough.
std::optional<double> LeastQuota(const Plan& plan, const PlannedTask& task,
                                 int64_t period_ns) {
  scheduling::CoreRules rules = scheduling::RulesOf(plan, Executor::kOther);
  rules.quota_period_ns = period_ns;
  const scheduling::Task analysed = scheduling::AnalysedTask(task);
  const auto charged = scheduling::Charged({&analysed, 1}, rules);
  if (!charged) {
    return std::nullopt;
  }
  const auto least_ns = scheduling::SmallestQuotaNs(*charged, period_ns);
  if (!least_ns || !*least_ns) {
    return std::nullopt;
  }
  return static_cast<double>(**least_ns) / static_cast<double>(period_ns);
}

std::string WhyQuotaUnsafe(const Plan& plan, const PlannedTask& task,
                           double quota_cores, int64_t period_ns) {
  const auto cores = static_cast<double>(task.cores.size());
  if (quota_cores >= cores) {
    return "";  // it is never stopped
  }
  if (task.executor != Executor::kOther) {
    return fmt::format(
        "a quota of {:.2f} cores could stop it within a job, which its proof "
        "under {} does not allow for",
        quota_cores, ExecutorName(task.executor));
  }
  const auto least = LeastQuota(plan, task, period_ns);
  if (!least || quota_cores < *least - 1e-9) {
    return fmt::format(
        "with {:.2f} cores a job of {} may take longer than its deadline of "
        "{}; {}",
        quota_cores, task.name,
        FormatDuration(static_cast<double>(task.deadline_ns)),
        least ? fmt::format("it needs {:.2f}", *least)
              : std::string("no quota of that period is enough"));
  }
  // Others of its cores must find room for theirs.
  double sum = quota_cores;
  for (const PlannedTask& other : plan.tasks) {
    if (&other == &task || other.cores != task.cores) {
      continue;
    }
    sum += other.quota_cores.value_or(
        LeastQuota(plan, other, period_ns).value_or(cores));
  }
  if (sum > cores * (1 - plan.reserve) + 1e-9 &&
      quota_cores > task.quota_cores.value_or(cores)) {
    return fmt::format(
        "with {:.2f} cores for it, the tasks on core {} would need {:.2f} of "
        "{:.2f}",
        quota_cores, FormatCpuList(task.cores), sum,
        cores * (1 - plan.reserve));
  }
  return "";
}

}  // namespace

std::string WhyUnsafe(const std::vector<ActivePlan>& plans, pid_t pid,
                      const AppSetting& setting) {
  const FoundTask found = FindTask(plans, pid);
  if (found.task == nullptr) {
    return "";
  }
  const PlannedTask& task = *found.task;
  if (setting.quota_cores) {
    const std::string why =
        WhyQuotaUnsafe(*found.plan, task, *setting.quota_cores,
                       setting.quota_period_us * 1000);
    if (!why.empty()) {
      return why;
    }
  }
  const bool has_all = std::ranges::all_of(task.cores, [&](int core) {
    return std::ranges::count(setting.cpus, core) > 0;
  });
  if (!setting.cpus.empty() && !has_all) {
    return fmt::format("its plan has it on core {}, the goals allow {}",
                       FormatCpuList(task.cores), FormatCpuList(setting.cpus));
  }
  return "";
}

SafeSetting MakeSafe(const std::vector<ActivePlan>& plans, pid_t pid,
                     const AppSetting& setting) {
  SafeSetting safe{setting, WhyUnsafe(plans, pid, setting)};
  const FoundTask found = FindTask(plans, pid);
  if (safe.refusal.empty()) {
    // Who goes first is the plan's to say, unless a quota replaces that.
    if (found.task != nullptr && !setting.quota_cores) {
      safe.setting.shares.reset();
      safe.setting.nice.reset();
    }
    return safe;
  }
  safe.refusal = fmt::format("It is task {} of a plan in force: {}",
                             found.task->name, safe.refusal);
  AppSetting without = setting;
  without.quota_cores.reset();
  if (!WhyUnsafe(plans, pid, without).empty()) {
    without.cpus.clear();
    without.quota_cores = setting.quota_cores;
    if (!WhyUnsafe(plans, pid, without).empty()) {
      without.quota_cores.reset();
    }
  }
  // A new group would take the task out of the order that its proof assumes.
  if (!without.quota_cores) {
    without.shares.reset();
    without.nice.reset();
  }
  safe.setting = std::move(without);
  return safe;
}

}  // namespace edgewise::control
