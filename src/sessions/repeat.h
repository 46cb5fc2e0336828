// Several Runs that belong together: repeats of one command, or two commands
// in turns.
#ifndef EDGEWISE_SESSIONS_REPEAT_H_
#define EDGEWISE_SESSIONS_REPEAT_H_

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "sessions/session.h"

namespace edgewise {

// Runs it `count` times, one after another, as one group. Ends early when the
// user cancels. Runs made before an error stay in the store.
Result<std::vector<Run>> RunRepeated(Store& store,
                                     const SessionSettings& settings, int count,
                                     const ProgressListener& progress);

struct InterleavedRuns {
  std::vector<Run> a;
  std::vector<Run> b;  // b[i] ran next to a[i]
  bool cancelled = false;
};

// Runs both `count` times in pairs; which of a pair comes first is random with
// this seed, so that drift and order favour neither.
Result<InterleavedRuns> RunInterleaved(Store& store, const SessionSettings& a,
                                       const SessionSettings& b, int count,
                                       uint64_t seed,
                                       const ProgressListener& progress);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_REPEAT_H_
