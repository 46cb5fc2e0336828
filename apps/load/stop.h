// SIGINT and SIGTERM ask an app to finish its item, report, and end.
#ifndef EDGEWISE_APPS_LOAD_STOP_H_
#define EDGEWISE_APPS_LOAD_STOP_H_

#include <cstdint>

namespace edgewise::apps {

// From here on those signals set a flag instead of ending the process, and
// interrupt what blocks.
void CatchStopSignals();
bool StopRequested();
// Sleeps until a CLOCK_MONOTONIC time, or until a stop is requested.
void SleepUntil(int64_t monotonic_ns);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_STOP_H_
