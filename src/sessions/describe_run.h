// What a Run is before anything has happened.
#ifndef EDGEWISE_SESSIONS_DESCRIBE_RUN_H_
#define EDGEWISE_SESSIONS_DESCRIBE_RUN_H_

#include "sessions/settings.h"
#include "store/run.h"

namespace edgewise {

// A new Run: what is run, where, and how. Of a process that is attached to, the
// command is its own.
Run DescribeRun(const SessionSettings& settings);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_DESCRIBE_RUN_H_
