#include "scheduling/core_rules.h"

#include <limits>

#include "scheduling/checked.h"
#include "scheduling/edf.h"
#include "scheduling/priority_order.h"

namespace edgewise::scheduling {
namespace {

constexpr int64_t kPermille = 1000;
constexpr int64_t kMostReserve = 900;

Result<bool> HoldsQuotas(std::span<const Task> tasks, const CoreRules& rules) {
  Result<std::vector<std::optional<int64_t>>> quotas = QuotasOf(tasks, rules);
  if (!quotas.ok()) return quotas.error();
  CheckedSum sum;
  for (const std::optional<int64_t>& quota_ns : *quotas) {
    if (!quota_ns) return false;
    sum.Add(*quota_ns);
  }
  return !sum.overflowed() && Int128{sum.sum()} * kPermille <=
                                  Int128{rules.quota_period_ns} *
                                      (kPermille - rules.reserve_permille);
}

Result<bool> Holds(std::span<const Task> tasks, const CoreRules& rules) {
  if (tasks.size() > MostTasks(rules.executor)) return false;
  Result<std::vector<Task>> charged = Charged(tasks, rules);
  if (!charged.ok()) return charged.error();
  switch (rules.executor) {
    case Executor::kFifo:
    case Executor::kRr:
      return PriorityTest({})(*charged);
    case Executor::kOther:
      if (tasks.size() > 1) return HoldsQuotas(tasks, rules);
      return IsEdfSchedulable(*charged);
    case Executor::kEdf:
    case Executor::kEdfPreemptive:
    case Executor::kDeadline:
      break;
  }
  return IsEdfSchedulable(*charged,
                          {.preemptive = !RunsToCompletion(rules.executor)});
}

}  // namespace

size_t MostTasks(Executor executor) {
  constexpr size_t kLadder = 78;  // rungs by which edf-preemptive orders jobs
  switch (executor) {
    case Executor::kEdfPreemptive:
      return kLadder;
    case Executor::kFifo:
    case Executor::kRr:
      return kHighestPriority;
    case Executor::kEdf:
    case Executor::kDeadline:
    case Executor::kOther:
      break;
  }
  return std::numeric_limits<size_t>::max();
}

bool IsRealTime(Executor executor) { return executor != Executor::kOther; }

bool RunsToCompletion(Executor executor) { return executor == Executor::kEdf; }

Result<std::vector<Task>> Charged(std::span<const Task> tasks,
                                  const CoreRules& rules) {
  if (rules.reserve_permille < 0 || rules.reserve_permille > kMostReserve) {
    return Error{ErrorCode::kInvalid,
                 "The reserve must be from 0% to 90% of a core."};
  }
  Result<std::vector<Task>> charged = AddOverheads(tasks, rules.overheads);
  if (!charged.ok() || rules.reserve_permille == 0) return charged;
  const int64_t left = kPermille - rules.reserve_permille;
  for (Task& task : *charged) {
    const Int128 wcet_ns = (Int128{task.wcet_ns} * kPermille + left - 1) / left;
    if (wcet_ns > kLongestNs) return TooLarge();
    task.wcet_ns = static_cast<int64_t>(wcet_ns);
  }
  return charged;
}

Result<std::vector<std::optional<int64_t>>> QuotasOf(
    std::span<const Task> tasks, const CoreRules& rules) {
  std::vector<std::optional<int64_t>> quotas(tasks.size());
  Result<std::vector<Task>> charged = AddOverheads(tasks, rules.overheads);
  if (!charged.ok()) return charged.error();
  if (rules.executor != Executor::kOther || tasks.size() < 2) return quotas;
  for (size_t i = 0; i < tasks.size(); ++i) {
    Result<std::optional<int64_t>> quota_ns =
        SmallestQuotaNs({&(*charged)[i], 1}, rules.quota_period_ns);
    if (!quota_ns.ok()) return quota_ns.error();
    quotas[i] = *quota_ns;
  }
  return quotas;
}

CoreTest TestFor(const CoreRules& rules) {
  return [rules](std::span<const Task> tasks) -> Result<bool> {
    Result<bool> holds = Holds(tasks, rules);
    if (!holds.ok() || !*holds || !rules.throttling ||
        !IsRealTime(rules.executor)) {
      return holds;
    }
    Result<std::vector<Task>> loaded = AddOverheads(tasks, rules.overheads);
    if (!loaded.ok()) return loaded.error();
    return StaysUnthrottled(*loaded, rules.throttling->runtime_ns,
                            rules.throttling->period_ns);
  };
}

}  // namespace edgewise::scheduling
