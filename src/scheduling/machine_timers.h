// MachineTimers: how late a machine starts jobs, measured on it (`edgewise
// calibrate --timers`), for the proofs of its plans.
#ifndef EDGEWISE_SCHEDULING_MACHINE_TIMERS_H_
#define EDGEWISE_SCHEDULING_MACHINE_TIMERS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "scheduling/task.h"

namespace edgewise {

// One figure: what a plan counts with, and what was seen.
struct MeasuredDelay {
  int64_t samples = 0;
  int64_t p50_ns = 0;
  int64_t p99_ns = 0;
  // The upper end of the 95% interval of the 99.9th percentile; the largest,
  // where there are too few samples for one.
  int64_t bound_ns = 0;
  int64_t max_ns = 0;
};

struct MachineTimers {
  std::string machine;  // fingerprint
  std::string created;  // UTC
  bool realtime = false;
  MeasuredDelay latency;  // release to start, on a core that has nothing to do
  MeasuredDelay hand_over;  // end of a job to the start of the next one
};

// docs/formats/timers.md. `origin` is the file's name for messages.
std::string WriteTimers(const MachineTimers& timers);
Result<MachineTimers> ReadTimers(std::string_view yaml,
                                 std::string_view origin);

// What the proofs of a plan on that machine should count with.
scheduling::Overheads OverheadsOf(const MachineTimers& timers);

}  // namespace edgewise

#endif  // EDGEWISE_SCHEDULING_MACHINE_TIMERS_H_
