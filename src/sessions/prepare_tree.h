// What a program is launched into: a guardian, cgroups, a held clock, and what
// --prepare did.
#ifndef EDGEWISE_SESSIONS_PREPARE_TREE_H_
#define EDGEWISE_SESSIONS_PREPARE_TREE_H_

#include <sys/types.h>

#include <filesystem>
#include <vector>

#include "base/cgroups.h"
#include "base/result.h"
#include "controls/guardian.h"
#include "sessions/settings.h"
#include "sessions/signal_guard.h"
#include "store/run.h"

namespace edgewise {

struct PreparedTree {
  Guardian guardian;
  CgroupFolders cgroups;
  // Processes that --prepare started and that are no part of the program.
  std::vector<pid_t> left_by_prepare;
};

// What the system refuses of the cgroups goes to `run`. All of it ends with the
// guardian.
Result<PreparedTree> PrepareTree(const std::filesystem::path& home,
                                 const SessionSettings& settings,
                                 SignalGuard& signals, Run* run);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_PREPARE_TREE_H_
