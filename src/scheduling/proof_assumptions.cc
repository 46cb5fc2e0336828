#include "scheduling/proof_assumptions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "scheduling/sched_deadline.h"

namespace edgewise::scheduling {
namespace {

std::string Text(int64_t ns) { return FormatDuration(static_cast<double>(ns)); }

std::string OfTheSystem(const CoreRules& rules) {
  return rules.reserve_permille > 0
             ? fmt::format(
                   "The system and everything else take no more than {:g}% of "
                   "the core, evenly.",
                   static_cast<double>(rules.reserve_permille) / 10)
             : "Nothing else runs on the core.";
}

std::string OfOverheads(const Overheads& overheads) {
  if (overheads.per_job_ns == 0 && overheads.latency_ns == 0) {
    return "Starting a job and switching to it take no time (edgewise "
           "calibrate --timers measures it).";
  }
  return "A released job is seen within " + Text(overheads.latency_ns) +
         "; starting and switching cost " + Text(overheads.per_job_ns) +
         " a job.";
}

}  // namespace

std::vector<std::string> AssumptionsOf(std::span<const Task> tasks,
                                       const CoreRules& rules, int cores) {
  std::vector<std::string> all = {
      "No job takes longer than its wcet_ms.",
      "Jobs are released no more often than once a period, wait for no other "
      "job and do not suspend themselves.",
      OfTheSystem(rules), OfOverheads(rules.overheads)};
  switch (rules.executor) {
    case Executor::kEdf:
      all.emplace_back(
          "The executor starts the ready job with the earliest deadline, never "
          "idles while one is ready, and lets it run to its end (edgewise "
          "exec).");
      break;
    case Executor::kEdfPreemptive:
      all.emplace_back(
          "The executor orders real-time priorities by deadline at every "
          "release (edgewise exec).");
      break;
    case Executor::kFifo:
    case Executor::kRr:
      all.emplace_back("No two tasks of the core share a priority.");
      break;
    case Executor::kDeadline: {
      if (cores > 1) {
        all.emplace_back(
            "The cores are all of the root domain, or an exclusive cpuset.");
      }
      const auto caveats = DeadlineCaveats();
      all.insert(all.end(), caveats.begin(), caveats.end());
      break;
    }
    case Executor::kOther:
      all.push_back(
          tasks.size() > 1
              ? "The kernel gives each task its quota within every " +
                    Text(rules.quota_period_ns) +
                    "; a quota limits, and only the sum of all leaves room."
              : "The ordinary policy gives the task what the reserve leaves, "
                "as it is alone on the core.");
      break;
  }
  if (IsRealTime(rules.executor) && rules.throttling) {
    all.push_back("The kernel stops real-time policies after " +
                  Text(rules.throttling->runtime_ns) + " of every " +
                  Text(rules.throttling->period_ns) +
                  "; the tasks stay below that.");
  }
  if (cores > 1 && rules.executor != Executor::kDeadline) {
    all.emplace_back(
        "Its threads share the cores as they did when it was measured.");
  }
  return all;
}

}  // namespace edgewise::scheduling
