#include "scheduling/priority_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace edgewise::scheduling {

PriorityOrder DeadlineMonotonic(std::span<const Task> tasks) {
  PriorityOrder order(tasks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const auto urgency = [&](size_t i) {
      return std::tuple(tasks[i].deadline_ns - tasks[i].jitter_ns,
                        tasks[i].period_ns);
    };
    return urgency(a) < urgency(b);
  });
  return order;
}

// From the lowest priority upwards: whichever task meets its deadline at a
// level may have it, since what is above it does not depend on the order there.
Result<std::optional<PriorityOrder>> OptimalPriorities(
    std::span<const Task> tasks, const PriorityRules& rules) {
  if (Result<void> valid = CheckTimes(tasks); !valid.ok()) {
    return valid.error();
  }
  PriorityOrder open = DeadlineMonotonic(tasks);
  PriorityOrder lowest_first;
  while (!open.empty()) {
    bool placed = false;
    for (size_t back = open.size(); back > 0 && !placed; --back) {
      const size_t candidate = open[back - 1];
      PriorityOrder higher = open;
      higher.erase(higher.begin() + static_cast<std::ptrdiff_t>(back - 1));
      Result<bool> meets =
          MeetsDeadlineBetween(tasks, candidate, higher, lowest_first, rules);
      if (!meets.ok()) return meets.error();
      if (!*meets) continue;
      lowest_first.push_back(candidate);
      open = std::move(higher);
      placed = true;
    }
    if (!placed) return std::optional<PriorityOrder>();
  }
  std::reverse(lowest_first.begin(), lowest_first.end());
  return std::optional(std::move(lowest_first));
}

std::vector<Task> InOrder(std::span<const Task> tasks,
                          const PriorityOrder& order) {
  std::vector<Task> sorted;
  sorted.reserve(order.size());
  for (const size_t i : order) sorted.push_back(tasks[i]);
  return sorted;
}

}  // namespace edgewise::scheduling
