// Executes a plan: starts the programs of its tasks, releases their jobs core
// by core, ends them, and says what became of every job.
//
// The room `execution` knows how jobs are released and judged; it must not
// know how plans are made or shown. Everything ends with this process,
// however it ends. What happened is stored as Runs of one group: one of each
// program, and one of the schedule with every task's jobs.
#ifndef EDGEWISE_EXECUTION_EXECUTE_H_
#define EDGEWISE_EXECUTION_EXECUTE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "execution/execution.h"
#include "scheduling/plan.h"

namespace edgewise {

struct ExecuteSettings {
  Plan plan;
  std::string plan_name;  // the file, for names of Runs
  std::string group;      // of the Runs; empty: a new one
  // The lab's way: one queue, one thread, no policies, cores or limits.
  bool naive = false;
  int64_t duration_ns = 60 * kNsPerSecond;
  // How long programs may take until they wait for their first job.
  int64_t ready_timeout_ns = 30 * kNsPerSecond;
  // How long a job may run before its program counts as hung.
  int64_t watchdog_ns = 10 * kNsPerSecond;
  // How long programs may take to end when told to.
  int64_t grace_ns = 2 * kNsPerSecond;
  bool hold_latency = false;
  // False: nothing is promised, so it is no matter that nothing is proven.
  bool wants_proof = true;
};

struct ExecuteProgress {
  bool starting = false;  // programs are not ready yet
  int64_t elapsed_ns = 0;
  int64_t jobs = 0;
  int64_t missed = 0;
};
using ExecuteListener = std::function<void(const ExecuteProgress&)>;

// Refuses what cannot be executed: no tasks, a task without a command, names
// twice, more tasks on a core than a dispatcher can take, real-time tasks with
// a quota. What is doubtful goes to `warnings`: a plan that was not proven, or
// was made for another machine.
Result<void> CheckExecutable(const Plan& plan,
                             std::vector<std::string>* warnings);

// The part of it that also goes for programs which run already: a real-time
// task with a quota, fixed priorities without a priority.
Result<void> CheckPolicy(const PlannedTask& task);

// SIGINT, SIGTERM and SIGHUP end it in order. The calling process must have no
// Store open, and no threads.
Result<Execution> Execute(const std::filesystem::path& home,
                          const ExecuteSettings& settings,
                          const ExecuteListener& progress);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_EXECUTE_H_
