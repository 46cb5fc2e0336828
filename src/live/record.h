// A Run from live data: what an app does anyway, recorded into the store.
//
// The app is not launched and not changed. What its processes use is read as
// for `run --pid`; what it records itself comes from the agent, which goes on
// collecting.
#ifndef EDGEWISE_LIVE_RECORD_H_
#define EDGEWISE_LIVE_RECORD_H_

#include <cstdint>
#include <string>

#include "base/result.h"
#include "sessions/session.h"
#include "store/store.h"

namespace edgewise::live {

struct RecordSettings {
  std::string control_socket;
  std::string app;  // as FindApp takes it
  int64_t duration_ns = 0;
  std::string label;  // empty: the app's name
  std::string note;
};

// Until the time is over, the app ends, or this process is told to.
Result<Run> RecordLive(Store& store, const RecordSettings& settings,
                       const ProgressListener& progress);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_RECORD_H_
