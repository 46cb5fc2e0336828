// Dispatcher: releases the jobs of the tasks of one core (or of several, for
// one task that has them to itself).
//
// kEdf tasks share it without preemption: one job at a time, the ready one
// with the earliest deadline, as soon as the one before has ended. Jobs of all
// other tasks run when they are released; those of kEdfPreemptive tasks with
// real-time priorities in the order of their deadlines. While a job of either
// runs, its thread has a real-time priority; between jobs it has none, so that
// what a program does there disturbs nobody's job.
//
// Releases are at absolute times. It never idles while a job is ready. A
// thread of its own runs it; Stop may come from another.
#ifndef EDGEWISE_EXECUTION_DISPATCHER_H_
#define EDGEWISE_EXECUTION_DISPATCHER_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "execution/job_record.h"
#include "execution/release_file.h"
#include "execution/task_jobs.h"
#include "scheduling/plan.h"

namespace edgewise {

// A task as a dispatcher sees it; its slot is its place among them.
struct DispatchedTask {
  uint32_t index = 0;  // in the plan
  PlannedTask plan;
  // The thread whose priority is set; 0: as it is.
  pid_t tid = 0;
};

struct DispatchTimes {
  int64_t start_ns = 0;  // first release of all tasks
  int64_t end_ns = 0;    // no release from here on
  int64_t watchdog_ns = 0;
};

// What became of a task beside its jobs.
struct DispatchAccount {
  int64_t skipped = 0;    // releases left out (MissPolicy::kSkip)
  int64_t unstarted = 0;  // overdue at the end, never begun
  int64_t running = 0;    // begun, not over when it stopped
};

class Dispatcher {
 public:
  // `file` has a slot for each task; both must outlive it.
  Dispatcher(ReleaseFile& file, std::vector<DispatchedTask> tasks,
             const DispatchTimes& times);

  // Until the end and the last running job's, a job that hangs, or Stop.
  void Run();
  // The same the lab's way, for comparison: one queue of all tasks by
  // deadline; whoever is first is waited for even if others are ready.
  void RunNaively();
  void Stop();

  JobQueue& jobs() { return jobs_; }
  // Has met a job that hangs. From any thread.
  bool gave_up() const { return gave_up_.load(std::memory_order_acquire); }
  // After it has run:
  // A task whose job did not end in watchdog_ns; nullopt if none.
  std::optional<uint32_t> hung_task() const { return hung_task_; }
  DispatchAccount AccountOf(size_t slot) const;
  int64_t cpu_ns() const { return cpu_ns_; }

 private:
  struct State {
    DispatchedTask task;
    TaskJobs jobs;
    uint32_t number = 0;  // of the job that runs, or ran last; from 1
    int64_t dispatched_ns = 0;
    int priority = 0;  // of its thread now; 0: none
  };

  bool stopped() const { return stop_.load(std::memory_order_acquire); }
  void Begin(size_t slot, int64_t now_ns);
  // Whether its job has ended; then it is recorded.
  bool Collect(size_t slot, int64_t now_ns);
  bool CollectAll(int64_t now_ns);
  void DispatchReady(int64_t now_ns);
  // The kEdf task to run next.
  std::optional<size_t> EarliestReady(int64_t now_ns) const;
  void SetPriority(State& state, int priority);
  void OrderLadder();
  bool AnyRunning(bool only_edf) const;
  // Sets hung_task_ if a job takes too long.
  void WatchJobs(int64_t now_ns);
  int64_t NextWakeNs(int64_t now_ns) const;
  bool NaiveTurn(size_t slot);
  // Takes back priorities, and stock.
  void Conclude();

  ReleaseFile& file_;
  DispatchTimes times_;
  std::vector<State> tasks_;
  std::vector<size_t> ladder_;  // running kEdfPreemptive tasks
  JobQueue jobs_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> gave_up_{false};
  std::optional<uint32_t> hung_task_;
  int64_t cpu_ns_ = 0;
  int64_t ended_ns_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_DISPATCHER_H_
