// The exact tests of one core as a predicate, for searches that try many sets.
#ifndef EDGEWISE_SCHEDULING_CORE_TEST_H_
#define EDGEWISE_SCHEDULING_CORE_TEST_H_

#include <functional>
#include <span>

#include "base/result.h"
#include "scheduling/edf.h"
#include "scheduling/fixed_priority.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Whether one core holds all these tasks. Must be sustainable: fewer tasks or
// shorter execution times never turn a yes into a no, a load above 100% is
// always a no. All below are.
using CoreTest = std::function<Result<bool>(std::span<const Task>)>;

CoreTest EdfTest(const EdfRules& rules);
// With the best order of priorities.
CoreTest PriorityTest(const PriorityRules& rules);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_CORE_TEST_H_
