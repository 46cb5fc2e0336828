// What a proof takes for granted, in words.
#ifndef EDGEWISE_SCHEDULING_PROOF_ASSUMPTIONS_H_
#define EDGEWISE_SCHEDULING_PROOF_ASSUMPTIONS_H_

#include <span>
#include <string>
#include <vector>

#include "scheduling/core_rules.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Whole sentences; `cores` as in ProveCore.
std::vector<std::string> AssumptionsOf(std::span<const Task> tasks,
                                       const CoreRules& rules, int cores);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_PROOF_ASSUMPTIONS_H_
