// A discrete-event simulator of schedulers, independent of the proofs: tests
// try to falsify the proofs with it, and pictures show what a plan does.
//
// It shows one history. That no deadline is missed in it proves nothing.
#ifndef EDGEWISE_SCHEDULING_SIMULATE_H_
#define EDGEWISE_SCHEDULING_SIMULATE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "scheduling/supply.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

enum class Policy {
  kEdf,
  kNonPreemptiveEdf,
  kFixedPriority,  // the first task of the list first
  kNonPreemptiveFixedPriority,
};

struct SimulatedJob {
  int64_t arrival_ns = 0;
  int64_t delay_ns = 0;  // until it is ready
  int64_t execution_ns = 0;
};

// The job of a task with the given number, from 0 on; asked for in order.
// Arrivals of a task must not decrease, execution must be above 0.
using JobSource = std::function<SimulatedJob(size_t task, int64_t job)>;

// One job a period from 0 on, each with the task's whole execution time, ready
// at once.
JobSource Synchronous(std::span<const Task> tasks);

struct SimulationRequest {
  Policy policy = Policy::kEdf;
  int cores = 1;  // ready jobs run on any of them
  int64_t until_ns = 0;
  JobSource jobs = {};  // empty: Synchronous
  // Each core stands still for the blackout and then whenever the quota of a
  // period is used up: the worst that the supply may do.
  Supply supply = {};
  size_t most_slices = 100'000;      // kept; the rest runs unseen
  int64_t most_events = 10'000'000;  // then it ends early
};

// A job on a core, without a break.
struct Slice {
  size_t task = 0;
  int64_t job = 0;
  int core = 0;
  int64_t start_ns = 0;
  int64_t end_ns = 0;

  bool operator==(const Slice&) const = default;
};

struct MissedDeadline {
  size_t task = 0;
  int64_t job = 0;
  int64_t deadline_ns = 0;
};

struct Simulation {
  std::vector<Slice> slices;  // by end
  bool all_slices = true;
  int64_t end_ns = 0;  // until_ns, unless it had to end early
  // For each task, the longest from arrival to end; nullopt: no job ended.
  std::vector<std::optional<int64_t>> longest_response_ns;
  int64_t missed = 0;                          // deadlines up to end_ns
  std::optional<MissedDeadline> first_missed;  // by deadline
};

// Deadlines and priorities that tie go to the task that is first in the list.
// Refused: what CheckTimes refuses, no cores.
Result<Simulation> Simulate(std::span<const Task> tasks,
                            const SimulationRequest& request);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_SIMULATE_H_
