// Execution: what became of a plan when it was executed.
#ifndef EDGEWISE_EXECUTION_EXECUTION_H_
#define EDGEWISE_EXECUTION_EXECUTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "execution/dispatch_costs.h"
#include "execution/dispatcher.h"
#include "execution/explain_job.h"
#include "execution/job_record.h"
#include "scheduling/plan.h"
#include "stats/proportion.h"
#include "stats/summary.h"

namespace edgewise {

// A job whose response was above its proven bound.
struct BoundViolation {
  JobRecord job;
  JobExplanation why;
};

struct TaskExecution {
  PlannedTask task;
  std::string run_id;  // of its program; empty: none was stored

  int64_t jobs = 0;       // that ended
  int64_t late = 0;       // of them, after their deadline
  int64_t skipped = 0;    // releases left out (MissPolicy::kSkip)
  int64_t unstarted = 0;  // overdue at the end, never begun
  int64_t released() const { return jobs + skipped + unstarted; }
  int64_t misses() const { return late + skipped + unstarted; }
  // Share of misses among the released, 95%; nullopt without jobs.
  std::optional<stats::Interval> miss_interval;
  // Of the late jobs: those whose tardiness is no more than was stolen.
  int64_t late_by_theft = 0;

  stats::SpanSummary response_ns;
  stats::SpanSummary start_delay_ns;        // release to start
  stats::SpanSummary cpu_ns;                // of jobs that tell
  std::optional<int64_t> tardiness_ns;      // of the latest job; nullopt: none
  std::optional<double> mean_tardiness_ns;  // of late jobs
  std::optional<double> utilisation;  // of one core: CPU time over elapsed time
  int64_t overruns = 0;               // jobs that used more than C
  std::optional<int64_t> stolen_ns;   // from all of its jobs together

  int64_t violations = 0;
  std::vector<BoundViolation> worst;  // of them, the largest excess first
};

struct Execution {
  bool naive = false;
  std::string group;   // of all its Runs
  std::string run_id;  // of the schedule: every task's jobs
  bool cancelled = false;
  bool realtime = false;  // the policies of the plan could be had
  int64_t start_ns = 0;   // CLOCK_MONOTONIC
  int64_t elapsed_ns = 0;
  std::vector<TaskExecution> tasks;
  // Of all dispatchers, in percent of a core.
  std::optional<double> dispatcher_percent;
  DispatchCosts costs;
  std::vector<std::string> warnings;
  // In words; the proof does not hold where there are any.
  std::vector<std::string> broken_assumptions;
};

// The kernel's count of time that a hypervisor took from each core.
struct StealSample {
  int64_t at_ns = 0;
  std::vector<int64_t> steal_ns;  // by core number
};

// All that an execution left, to be turned into figures.
struct ExecutionTrace {
  std::vector<JobRecord> jobs;
  std::vector<std::vector<uint32_t>> groups;  // tasks of each dispatcher
  std::vector<DispatchAccount> accounts;      // of each task
  std::vector<StealSample> steal;             // ascending
};

// Fills `execution.tasks` (which have `task` and `run_id`) but for those two.
// `jobs` are put in order of their starts.
void JudgeExecution(const Plan& plan, ExecutionTrace& trace,
                    Execution& execution);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_EXECUTION_H_
