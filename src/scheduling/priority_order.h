// Who gets which fixed priority.
#ifndef EDGEWISE_SCHEDULING_PRIORITY_ORDER_H_
#define EDGEWISE_SCHEDULING_PRIORITY_ORDER_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "scheduling/fixed_priority.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Indices of tasks, the highest priority first.
using PriorityOrder = std::vector<size_t>;

// Shortest deadline less jitter first (ties: the shorter period, then the
// place in the list). The best order for preemptive tasks with deadlines
// within their periods (Leung and Whitehead 1982; with jitter, Zuhily and
// Burns 2007).
PriorityOrder DeadlineMonotonic(std::span<const Task> tasks);

// Some order with which all deadlines are met, or nullopt: then there is none
// (Audsley 2001; without preemption, George, Rivierre and Spuri 1996). Keeps
// close to DeadlineMonotonic. Refused as in PriorityResponses.
Result<std::optional<PriorityOrder>> OptimalPriorities(
    std::span<const Task> tasks, const PriorityRules& rules = {});

// The tasks in that order.
std::vector<Task> InOrder(std::span<const Task> tasks,
                          const PriorityOrder& order);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_PRIORITY_ORDER_H_
