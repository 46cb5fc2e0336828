// A partition changed so that jobs may take longer than planned by as much as
// possible before a proof breaks.
#ifndef EDGEWISE_SCHEDULING_MORE_ROOM_H_
#define EDGEWISE_SCHEDULING_MORE_ROOM_H_

#include <span>
#include <vector>

#include "base/result.h"
#include "scheduling/core_test.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Moves and swaps tasks while that lets the execution times of the tightest
// core grow more; ends where no single move or swap does. `cores_of` is a
// partition that passes the test, onto some of `cores`; tasks with whole cores
// stay. Left as it is above `kMostTasksToMove` tasks, and what the test refuses
// counts as no better.
inline constexpr size_t kMostTasksToMove = 24;
std::vector<std::vector<int>> WithMoreRoom(
    std::span<const Task> tasks, std::vector<std::vector<int>> cores_of,
    const std::vector<int>& cores, const CoreTest& test);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_MORE_ROOM_H_
