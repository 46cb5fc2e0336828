#include "scheduling/supply.h"

#include <algorithm>

#include "scheduling/checked.h"
#include "scheduling/edf.h"

namespace edgewise::scheduling {
namespace {

constexpr int64_t kMicrosecondNs = 1000;

Result<void> CheckQuota(int64_t quota_ns, int64_t period_ns) {
  if (period_ns <= 0 || period_ns > kLongestNs / 2) {
    return Error{ErrorCode::kInvalid,
                 "The period of a quota must be above 0 and below 73 years."};
  }
  if (quota_ns <= 0 || quota_ns > period_ns) {
    return Error{ErrorCode::kInvalid,
                 "A quota must be above 0 and no more than its period."};
  }
  return {};
}

}  // namespace

int64_t Supply::At(int64_t t_ns) const {
  if (t_ns <= blackout_ns) return 0;
  const int64_t lit_ns = t_ns - blackout_ns;
  return lit_ns / period_ns * quota_ns + std::min(lit_ns % period_ns, quota_ns);
}

std::optional<int64_t> Supply::WindowFor(int64_t demand_ns) const {
  if (demand_ns <= 0) return 0;
  const int64_t periods = (demand_ns - 1) / quota_ns;
  CheckedSum window(blackout_ns);
  window.AddProduct(periods, period_ns);
  window.Add(demand_ns - periods * quota_ns);
  if (window.overflowed()) return std::nullopt;
  return window.sum();
}

Result<Supply> QuotaSupply(int64_t quota_ns, int64_t period_ns) {
  Result<void> valid = CheckQuota(quota_ns, period_ns);
  if (!valid.ok()) return valid.error();
  return Supply{quota_ns, period_ns, 2 * (period_ns - quota_ns)};
}

Result<Supply> ThrottledSupply(int64_t quota_ns, int64_t period_ns) {
  Result<void> valid = CheckQuota(quota_ns, period_ns);
  if (!valid.ok()) return valid.error();
  return Supply{quota_ns, period_ns, period_ns - quota_ns};
}

Result<bool> StaysUnthrottled(std::span<const Task> tasks, int64_t quota_ns,
                              int64_t period_ns) {
  Result<void> valid = CheckTimes(tasks);
  if (valid.ok()) valid = CheckQuota(quota_ns, period_ns);
  if (!valid.ok()) return valid.error();
  CheckedSum work;
  for (const Task& task : tasks) {
    // The first job of the window runs as late as its deadline allows, the
    // others as soon as they arrive.
    const int64_t stretched_ns =
        std::max<int64_t>(0, period_ns + task.deadline_ns - task.wcet_ns);
    const int64_t jobs = stretched_ns / task.period_ns;
    work.AddProduct(jobs, task.wcet_ns);
    work.Add(std::min(task.wcet_ns, stretched_ns % task.period_ns));
  }
  return !work.overflowed() && work.sum() <= quota_ns;
}

Result<std::optional<int64_t>> SmallestQuotaNs(std::span<const Task> tasks,
                                               int64_t period_ns) {
  Result<void> valid = CheckQuota(period_ns, period_ns);
  if (!valid.ok()) return valid.error();
  if (period_ns < kMicrosecondNs) {
    return Error{ErrorCode::kInvalid,
                 "The period of a quota must be at least 1 us."};
  }
  if (tasks.empty()) return std::optional<int64_t>(0);
  const auto holds = [&](int64_t quota_us) -> Result<bool> {
    Result<Supply> supply = QuotaSupply(quota_us * kMicrosecondNs, period_ns);
    if (!supply.ok()) return supply.error();
    return IsEdfSchedulable(tasks, {.supply = *supply});
  };
  int64_t enough_us = period_ns / kMicrosecondNs;
  Result<bool> most = holds(enough_us);
  if (!most.ok()) return most.error();
  if (!*most) return std::optional<int64_t>();
  int64_t too_little_us = 0;
  while (enough_us - too_little_us > 1) {
    const int64_t middle_us = too_little_us + (enough_us - too_little_us) / 2;
    Result<bool> held = holds(middle_us);
    if (!held.ok()) return held.error();
    (*held ? enough_us : too_little_us) = middle_us;
  }
  return std::optional<int64_t>(enough_us * kMicrosecondNs);
}

}  // namespace edgewise::scheduling
