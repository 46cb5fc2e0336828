// --frequency: the cores of a session held at a clock.
#ifndef EDGEWISE_SESSIONS_HOLD_FREQUENCY_H_
#define EDGEWISE_SESSIONS_HOLD_FREQUENCY_H_

#include "base/result.h"
#include "controls/guardian.h"
#include "sessions/settings.h"
#include "store/run.h"

namespace edgewise {

// Whether the clock can be held as asked for; changes nothing. Never kNotFound
// or kPermission, which mean the command (see CheckSettings).
Result<void> CheckFrequency(const SessionSettings& settings);

// Holds the cores at the clock asked for, if any, until the guardian ends.
// The Run gets the clock it really has, with a warning if that is another.
Result<void> HoldFrequency(const SessionSettings& settings, Guardian* guardian,
                           Run* run);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_HOLD_FREQUENCY_H_
