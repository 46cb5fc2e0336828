// Stop signals (SIGINT, SIGTERM) as a descriptor that can be waited for.
#ifndef EDGEWISE_APPS_TENANT_STOP_EVENT_H_
#define EDGEWISE_APPS_TENANT_STOP_EVENT_H_

namespace edgewise::apps {

// Once, at the start of the program.
void CatchStopEvents();
// Readable from the first stop signal on, until it is read; -1 before
// CatchStopEvents.
int StopEvent();
// Whether one came, waiting for it at most so long. It stays to be read.
bool WaitForStop(int most_ms);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_TENANT_STOP_EVENT_H_
