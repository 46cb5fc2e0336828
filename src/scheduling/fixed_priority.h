// Fixed priorities on one core: worst-case response times.
//
// Preemptive: Joseph and Pandya (1986), with busy windows for deadlines beyond
// the period (Lehoczky 1990) and jitter and blocking (Tindell, Burns and
// Wellings 1994). Non-preemptive: George, Rivierre and Spuri (1996), corrected
// by Davis, Burns, Bril and Lukkien (2007). Exact for sporadic tasks without
// blocking_ns, which is taken to happen at the worst moment.
#ifndef EDGEWISE_SCHEDULING_FIXED_PRIORITY_H_
#define EDGEWISE_SCHEDULING_FIXED_PRIORITY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "scheduling/response.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

struct PriorityRules {
  bool preemptive = true;
  // The longest that something outside the list may hold up any job once:
  // a lock, a section that cannot be interrupted. At least 0.
  int64_t blocking_ns = 0;
};

// Of tasks in the order of their priorities, the highest first. Refused: what
// CheckTimes refuses, times that do not fit, analyses that take too long.
Result<ResponseBounds> PriorityResponses(std::span<const Task> by_priority,
                                         const PriorityRules& rules = {});

// Whether tasks[index] meets its deadline below the tasks of `higher` and
// above those of `lower`, whatever the order within each.
Result<bool> MeetsDeadlineBetween(std::span<const Task> tasks, size_t index,
                                  std::span<const size_t> higher,
                                  std::span<const size_t> lower,
                                  const PriorityRules& rules);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_FIXED_PRIORITY_H_
