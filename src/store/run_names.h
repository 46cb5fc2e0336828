// Names of a Run's states and ends, as documents and reports spell them.
#ifndef EDGEWISE_STORE_RUN_NAMES_H_
#define EDGEWISE_STORE_RUN_NAMES_H_

#include <optional>
#include <string_view>

#include "store/run.h"

namespace edgewise {

// "running", "done", "interrupted".
std::string_view RunStateName(RunState state);
// kInterrupted for a name that is not known.
RunState RunStateFromName(std::string_view name);

// "exited", "signal", "duration", "timeout", "cancelled", "out_of_memory",
// "detached", "failed".
std::string_view EndReasonName(EndReason reason);
std::optional<EndReason> EndReasonFromName(std::string_view name);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_RUN_NAMES_H_
