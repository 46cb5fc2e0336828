// --prepare and --cleanup: shell commands around a measurement.
#ifndef EDGEWISE_SESSIONS_HOOK_H_
#define EDGEWISE_SESSIONS_HOOK_H_

#include <string>

#include "base/result.h"
#include "controls/guardian.h"
#include "sessions/settings.h"
#include "sessions/signal_guard.h"

namespace edgewise {

// Runs `command` (nothing if empty) through the guardian, outside the
// program's cgroup, its stdout on our stderr, and waits for it. A command that
// fails or is cancelled is an error that names `flag`.
Result<void> RunHook(Guardian& guardian, SignalGuard& signals,
                     const SessionSettings& settings, const std::string& run_id,
                     const std::string& command, const char* flag);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_HOOK_H_
