#include "scheduling/global_edf.h"

#include <algorithm>
#include <functional>

#include "scheduling/checked.h"
#include "scheduling/fractions.h"

namespace edgewise::scheduling {
namespace {

Result<void> Check(std::span<const Task> tasks, int cores) {
  if (cores < 1) {
    return Error{ErrorCode::kInvalid,
                 "Tasks need at least one core; give some."};
  }
  return CheckTimes(tasks);
}

// a / b against c / d.
bool IsLess(const Fraction& a, const Fraction& b) {
  return a.numerator * static_cast<Uint128>(b.denominator) <
         b.numerator * static_cast<Uint128>(a.denominator);
}

// Whether the sum of all, and cores - 1 times the largest more, is within the
// cores.
bool IsWithin(std::vector<Fraction> loads, int cores) {
  if (loads.empty()) return true;
  Fraction largest = *std::max_element(loads.begin(), loads.end(), IsLess);
  largest.numerator *= static_cast<Uint128>(cores - 1);
  loads.push_back(largest);
  return CompareSum(loads, cores) <= 0;
}

}  // namespace

Result<GlobalEdf> AnalyseGlobalEdf(std::span<const Task> tasks, int cores) {
  if (Result<void> valid = Check(tasks, cores); !valid.ok()) {
    return valid.error();
  }
  bool implicit = true;
  std::vector<Fraction> densities;
  bool late = CompareSum(UtilisationOf(tasks), cores) > 0;
  for (const Task& task : tasks) {
    const int64_t deadline_ns = task.deadline_ns - task.jitter_ns;
    late = late || task.wcet_ns > deadline_ns || task.wcet_ns > task.period_ns;
    implicit = implicit && deadline_ns >= task.period_ns;
    densities.push_back(
        {static_cast<Uint128>(task.wcet_ns),
         std::max<int64_t>(1, std::min(deadline_ns, task.period_ns))});
  }
  if (late)
    return GlobalEdf{GlobalVerdict::kOverloaded, GlobalVerdict::kOverloaded};
  GlobalEdf result;
  if (implicit && IsWithin(UtilisationOf(tasks), cores)) {
    result.gfb = GlobalVerdict::kSchedulable;
  }
  if (IsWithin(densities, cores)) result.density = GlobalVerdict::kSchedulable;
  return result;
}

Result<std::optional<std::vector<int64_t>>> TardinessBounds(
    std::span<const Task> tasks, int cores) {
  if (Result<void> valid = Check(tasks, cores); !valid.ok()) {
    return valid.error();
  }
  using Bounds = std::optional<std::vector<int64_t>>;
  if (CompareSum(UtilisationOf(tasks), cores) > 0) return Bounds();
  std::vector<int64_t> execution_ns;
  std::vector<int64_t> loads;  // in units of 2^-32, rounded up
  for (const Task& task : tasks) {
    if (task.deadline_ns != task.period_ns || task.jitter_ns != 0 ||
        task.wcet_ns > task.period_ns) {
      return Bounds();
    }
    execution_ns.push_back(task.wcet_ns);
    loads.push_back(static_cast<int64_t>(
        ((Int128{task.wcet_ns} << 32) + task.period_ns - 1) / task.period_ns));
  }
  if (cores == 1 || tasks.empty()) {
    return Bounds(std::vector<int64_t>(tasks.size(), 0));
  }
  std::sort(execution_ns.begin(), execution_ns.end(), std::greater<>());
  std::sort(loads.begin(), loads.end(), std::greater<>());
  const auto first = [&](int count) {
    return std::min(static_cast<size_t>(count), tasks.size());
  };
  Int128 work = -Int128{execution_ns.back()};
  for (size_t i = 0; i < first(cores - 1); ++i) work += execution_ns[i];
  Int128 spare = Int128{cores} << 32;
  for (size_t i = 0; i < first(cores - 2); ++i) spare -= loads[i];
  const Int128 x = ((work << 32) + spare - 1) / spare;  // spare >= 2 cores
  std::vector<int64_t> bounds;
  for (const Task& task : tasks) {
    if (x + task.wcet_ns > kLongestNs) return TooLarge();
    bounds.push_back(static_cast<int64_t>(x) + task.wcet_ns);
  }
  return Bounds(std::move(bounds));
}

}  // namespace edgewise::scheduling
