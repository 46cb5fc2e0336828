// Runs a sweep: every step of its plan, again where the machine was disturbed,
// and from where it stopped if it was interrupted.
#ifndef EDGEWISE_EXPERIMENTS_SWEEP_H_
#define EDGEWISE_EXPERIMENTS_SWEEP_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "experiments/attempts.h"
#include "experiments/sweep_plan.h"
#include "sessions/session.h"
#include "store/store.h"

namespace edgewise {

struct SweepOptions {
  // Between two Runs; where the board tells its temperature, also until it is
  // within 5 degrees of that at the start, for a minute at most.
  int64_t cool_down_ns = 500 * kNsPerMs;
  // How often a disturbed measurement is made again; the least disturbed
  // counts in the end, and is marked.
  int retries = 2;
  DisturbanceLimits limits;
  // Never go on with an interrupted sweep.
  bool fresh = false;
};

// Told after each Run, and once at the start with what was there already.
struct SweepEvent {
  size_t done = 0;  // steps
  size_t all = 0;
  // Of the Run just made; nullptr at the start, and where it could not start.
  const MeasuredRun* measured = nullptr;
  std::string point;    // its name
  bool again = false;   // it was disturbed, and is made again
  std::string failure;  // why the point could not start
};

struct SweepHooks {
  ProgressListener progress;
  std::function<void(const SweepEvent&)> event;
};

struct SweepOutcome {
  std::string group;  // of all its Runs
  size_t found = 0;   // steps that an interrupted sweep had done before
  bool cancelled = false;
};

// Programs that fail are Runs, and the rest goes on. An error ends it; what was
// measured stays, and the same request goes on from there. kBusy if the same
// sweep is being run elsewhere.
Result<SweepOutcome> RunSweep(Store& store, const SweepPlan& plan,
                              const SweepOptions& options,
                              const SweepHooks& hooks);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_SWEEP_H_
