// Plan: which task runs where and how, and why it meets its deadlines.
//
// Written by `plan`, read by `apply` and `exec` (docs/formats/plan.md). Times
// are nanoseconds. A plan without a passed proof is never applied silently.
#ifndef EDGEWISE_SCHEDULING_PLAN_H_
#define EDGEWISE_SCHEDULING_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

// Who runs the jobs of a task.
enum class Executor {
  kEdf,            // user space, non-preemptive, by absolute deadline
  kEdfPreemptive,  // real-time priorities ordered by absolute deadline
  kFifo,           // SCHED_FIFO, fixed priority
  kRr,             // SCHED_RR, fixed priority
  kDeadline,       // SCHED_DEADLINE
  kOther,          // SCHED_OTHER, with a quota
};

// "edf", "edf-preemptive", "fifo", "rr", "deadline", "other".
std::string_view ExecutorName(Executor executor);
std::optional<Executor> ParseExecutor(std::string_view name);

// What happens to a job that is not over at its deadline.
enum class MissPolicy {
  kFinish,  // it runs to its end; later ones wait
  kSkip,    // it runs to its end; releases that passed meanwhile are left out
  kAbort,   // it is ended where that can be done: a process of its own
};
std::string_view MissPolicyName(MissPolicy policy);
std::optional<MissPolicy> ParseMissPolicy(std::string_view name);

struct PlannedTask {
  std::string name;
  std::vector<std::string> command;  // empty: not known, cannot be executed
  Executor executor = Executor::kEdf;
  std::vector<int> cores;  // one, or those it has for itself
  int64_t wcet_ns = 0;
  int64_t period_ns = 0;
  int64_t deadline_ns = 0;
  int64_t jitter_ns = 0;
  std::optional<int> priority;        // kFifo, kRr
  std::optional<int64_t> runtime_ns;  // kDeadline
  std::optional<double> quota_cores;  // kOther
  std::optional<int64_t> memory_bytes;
  MissPolicy on_miss = MissPolicy::kFinish;
  // One process start a job, for programs that know nothing of edgewise.
  bool process_per_job = false;
  // Where wcet_ns comes from: "cards/image.yaml: contended p99 bound at 95%".
  std::string wcet_source;
  std::string card;  // the file, to be marked if a bound is broken

  // From the proof.
  std::optional<int64_t> response_bound_ns;
  std::optional<int64_t> slack_ns;  // deadline - bound
  // How much longer its jobs may take, all others as planned.
  std::optional<int64_t> wcet_slack_ns;
};

struct Proof {
  std::string test;  // "processor demand (QPA), preemptive EDF"
  bool schedulable = false;
  std::string verdict;  // one sentence
  // The first time at which demand exceeds supply, and how; empty if it holds.
  std::optional<int64_t> witness_ns;
  std::string witness;
  // By how much every wcet may grow with the proof still holding: 1.25.
  std::optional<double> growth;
  std::vector<std::string> assumptions;
};

struct PlannedCore {
  std::vector<int> cores;
  double utilisation = 0;
  Proof proof;
};

struct Plan {
  std::vector<PlannedTask> tasks;
  std::vector<PlannedCore> cores;  // one proof each
  double reserve = 0;              // of each core, left to the system: 0.1
  // What the proofs count with beyond the jobs themselves: until a released job
  // is seen, and what starting and switching cost it.
  int64_t latency_ns = 0;
  int64_t overhead_ns = 0;
  std::string machine;       // fingerprint of the node it was made for
  std::string machine_name;  // for people
  std::string created;       // UTC
  std::vector<std::string> notes;
};

}  // namespace edgewise

#endif  // EDGEWISE_SCHEDULING_PLAN_H_
