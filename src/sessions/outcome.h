// How a session ended, in exit codes and in words.
#ifndef EDGEWISE_SESSIONS_OUTCOME_H_
#define EDGEWISE_SESSIONS_OUTCOME_H_

#include <string>

#include "controls/guardian.h"
#include "sessions/settings.h"
#include "store/run.h"

namespace edgewise {

// What `edgewise run` answers for this Run: the program's own code, 128+signal
// if it was killed, 124 if it timed out, 0 after a planned end.
int ExitCodeOf(const Run& run);
// The user stopped it: by a signal to edgewise, or Ctrl-C to the program.
bool WasCancelled(const Run& run);

// What went wrong with a Run that failed, in a clause: "exit code 3", "killed
// by its memory limit".
std::string FailureText(const Run& run);

// Why a program could not be started: one sentence that names the option that
// was refused, and what to do.
std::string ExplainLaunchFailure(const SessionSettings& settings,
                                 const GuardianEvent& event);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_OUTCOME_H_
