// Why a job took longer than it should: which assumption of the proof failed.
//
// Pure: looks at the records of the jobs that shared the core. While a job
// waits for its end, the core works for it or for jobs before it; every
// nanosecond of its response that is not their CPU time was lost.
#ifndef EDGEWISE_EXECUTION_EXPLAIN_JOB_H_
#define EDGEWISE_EXECUTION_EXPLAIN_JOB_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "execution/job_record.h"
#include "scheduling/plan.h"

namespace edgewise {

enum class BrokenAssumption {
  kWcet,          // a job used more CPU time than its C
  kJitter,        // a job began later than the release jitter allows
  kStolen,        // the core was taken away: hypervisor, interrupts
  kInterference,  // others ran on it, or a job waited for something
  kNone,          // nothing that was measured explains it: the bound itself
};
// "C exceeded", "release jitter exceeded", "stolen time", "interference",
// "the bound itself".
std::string_view BrokenAssumptionName(BrokenAssumption assumption);

// Of the response of one job. All at least 0.
struct JobExplanation {
  int64_t overrun_ns = 0;     // CPU time beyond C, of all jobs involved
  int64_t overrun_task = -1;  // of the largest of those; -1: none
  int64_t late_ns = 0;        // the core had no job though this one was due
  int64_t stolen_ns = 0;
  int64_t other_ns = 0;
  // The largest of them, unless all are small against what is to be explained.
  BrokenAssumption broken = BrokenAssumption::kInterference;
};

// How things were on the core.
struct CoreFacts {
  // Jobs had real-time priorities: only a dispatcher came between.
  bool realtime = true;
  // By the kernel's count, while the job was pending.
  int64_t steal_ns = 0;
};

// The CPU time that a job did not get between its start and its end although
// no job of the plan had it: `jobs` are those of one core, ascending in start.
// Jobs that began and ended within it preempted it. One number for each; -1
// where it is not known: no CPU time, the program waited by itself, or another
// one had the core (which only real-time jobs rule out).
std::vector<int64_t> StolenFromJobs(std::span<const JobRecord> jobs,
                                    bool realtime);

// `job` is one of `jobs`, as above. `excess_ns`: how much it took too long.
JobExplanation ExplainJob(const JobRecord& job, std::span<const JobRecord> jobs,
                          const Plan& plan, const CoreFacts& facts,
                          int64_t excess_ns);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_EXPLAIN_JOB_H_
