// What every response-time analysis answers.
#ifndef EDGEWISE_SCHEDULING_RESPONSE_H_
#define EDGEWISE_SCHEDULING_RESPONSE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scheduling/task.h"

namespace edgewise::scheduling {

// The longest time from the arrival of a job to its end, for the task at the
// same place in the list of tasks; nullopt where it grows without limit.
using ResponseBounds = std::vector<std::optional<int64_t>>;

// Whether every task has a bound within its deadline.
inline bool AllMeetDeadlines(std::span<const Task> tasks,
                             const ResponseBounds& bounds) {
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!bounds[i] || *bounds[i] > tasks[i].deadline_ns) return false;
  }
  return true;
}

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_RESPONSE_H_
