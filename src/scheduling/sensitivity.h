// How much longer jobs may take before the proof breaks.
#ifndef EDGEWISE_SCHEDULING_SENSITIVITY_H_
#define EDGEWISE_SCHEDULING_SENSITIVITY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "scheduling/core_test.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// The largest factor, in thousandths, by which all execution times (rounded
// up) may be multiplied with the test still saying yes: 1250 means a quarter
// longer, below 1000 that they are too long as they are. nullopt where even a
// thousandth is too much, or there are no tasks.
Result<std::optional<int64_t>> LargestScalePermille(std::span<const Task> tasks,
                                                    const CoreTest& test);

// The same for tasks[index] alone: the nanoseconds that it may take longer
// while the others stay. nullopt where the test says no as it is.
Result<std::optional<int64_t>> SlackNs(std::span<const Task> tasks,
                                       size_t index, const CoreTest& test);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_SENSITIVITY_H_
