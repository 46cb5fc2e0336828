#include "scheduling/core_test.h"

#include <optional>

#include "scheduling/priority_order.h"

namespace edgewise::scheduling {

CoreTest EdfTest(const EdfRules& rules) {
  return [rules](std::span<const Task> tasks) {
    return IsEdfSchedulable(tasks, rules);
  };
}

CoreTest PriorityTest(const PriorityRules& rules) {
  return [rules](std::span<const Task> tasks) -> Result<bool> {
    Result<std::optional<PriorityOrder>> order =
        OptimalPriorities(tasks, rules);
    if (!order.ok()) return order.error();
    return order->has_value();
  };
}

}  // namespace edgewise::scheduling
