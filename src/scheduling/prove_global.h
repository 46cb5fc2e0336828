// The proof of tasks under SCHED_DEADLINE, which moves them among cores.
#ifndef EDGEWISE_SCHEDULING_PROVE_GLOBAL_H_
#define EDGEWISE_SCHEDULING_PROVE_GLOBAL_H_

#include <span>

#include "base/result.h"
#include "scheduling/core_rules.h"
#include "scheduling/core_test.h"
#include "scheduling/prove_core.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Whether the kernel admits the tasks on that many cores and they are proven
// to meet their deadlines: on one core exactly, on several by a test that may
// leave it open, which counts as a no.
CoreTest GlobalTest(const CoreRules& rules, int cores);

// Fills test, verdict, witness, bounds and runtimes; core.tasks has a place
// for each task.
Result<void> ProveGlobal(std::span<const Task> tasks, const CoreRules& rules,
                         int cores, CoreProof& core);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_PROVE_GLOBAL_H_
