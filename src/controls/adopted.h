// Which children of this process are orphans of a guardian that was killed.
#ifndef EDGEWISE_CONTROLS_ADOPTED_H_
#define EDGEWISE_CONTROLS_ADOPTED_H_

#include <sys/types.h>

#include <cstdint>

#include "controls/process_tree.h"

namespace edgewise {

// The guardians of this process that are alive, told apart from orphans.
// Thread-safe.
void AddLivingGuardian(pid_t pid);
void RemoveLivingGuardian(pid_t pid);

// Marks the children that came to this process (a subreaper) when a guardian
// that started at `since_ticks` was killed, and their descendants; waits for
// those that have ended. Children of another making are known by their process
// group, which is this process's own: a helper that is moved to a group of its
// own would be taken for an orphan.
void MarkAdopted(ProcessTable* table, uint64_t since_ticks);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_ADOPTED_H_
