// Task: what is to be scheduled, in integer nanoseconds.
//
// A task releases a job every period or more rarely (sporadic). A job arrives,
// becomes ready up to `jitter_ns` later, needs at most `wcet_ns` of a core and
// must be done `deadline_ns` after its arrival. Jobs of one task run in order.
#ifndef EDGEWISE_SCHEDULING_TASK_H_
#define EDGEWISE_SCHEDULING_TASK_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace edgewise::scheduling {

struct Task {
  std::string name;
  int64_t wcet_ns = 0;
  int64_t period_ns = 0;
  int64_t deadline_ns = 0;  // from the arrival; may exceed the period
  int64_t jitter_ns = 0;
  std::vector<int> cores;  // allowed; empty: any
  int64_t memory_bytes = 0;
  int whole_cores = 0;  // above 0: needs that many cores for itself

  bool operator==(const Task&) const = default;
};

// No time of a task may be longer: 2^62 ns, about 146 years.
inline constexpr int64_t kLongestNs = int64_t{1} << 62;

// What every analysis needs and checks: execution time, period and deadline
// above 0, jitter not below, none longer than kLongestNs. A job that cannot
// meet its deadline at all is a verdict, not bad input.
Result<void> CheckTimes(std::span<const Task> tasks);

// What a plan needs beyond that: names, all different; execution time plus
// jitter within the deadline; memory and cores not negative.
Result<void> CheckTasks(std::span<const Task> tasks);

// What running a job costs beyond the job itself.
struct Overheads {
  int64_t per_job_ns = 0;  // dispatching, switching to it and back: added to C
  int64_t latency_ns = 0;  // until a released job is seen: added to the jitter
};

// The tasks with overheads included. The error says what became too long.
Result<std::vector<Task>> AddOverheads(std::span<const Task> tasks,
                                       const Overheads& overheads);

// Execution time over period, added up; for showing, never for a verdict.
double Utilisation(std::span<const Task> tasks);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_TASK_H_
