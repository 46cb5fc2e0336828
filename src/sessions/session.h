// A session: launch a program under stated conditions (or attach to one that
// runs), collect, end it, and hand back the stored Run.
//
// Knows the order of things and the clock; what is read comes from the
// Recorder, what is set goes through the Guardian. Nothing is left behind
// whatever happens to this process (see controls/guardian.h).
#ifndef EDGEWISE_SESSIONS_SESSION_H_
#define EDGEWISE_SESSIONS_SESSION_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.h"
#include "sessions/settings.h"
#include "store/store.h"

namespace edgewise {

// How far a session is; told a few times a second.
struct SessionProgress {
  int64_t elapsed_ns = 0;
  std::optional<int64_t> planned_ns;  // --duration
  std::optional<double> cpu_percent;
  std::optional<int64_t> rss_bytes;
  int run_number = 1;  // of run_count that belong together
  int run_count = 1;
  // The program is over; its stack samples are being unwound and named.
  bool unwinding = false;
};
using ProgressListener = std::function<void(const SessionProgress&)>;

// Runs one session to its end. SIGINT, SIGTERM and SIGHUP to this process end
// the program (and the Run) in order while it lasts. Errors are failures of
// edgewise itself or of the launch; a program that fails is a Run. kNotFound
// and kPermission always mean the command itself: it is not there, or may not
// be executed.
Result<Run> RunSession(Store& store, const SessionSettings& settings,
                       const ProgressListener& progress);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_SESSION_H_
