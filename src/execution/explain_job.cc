#include "execution/explain_job.h"

#include <algorithm>
#include <array>
#include <utility>

namespace edgewise {
namespace {

int64_t Overlap(const JobRecord& job, int64_t from_ns, int64_t to_ns) {
  return std::max<int64_t>(
      0, std::min(job.end_ns, to_ns) - std::max(job.start_ns, from_ns));
}

// Whether `inner` ran while `outer` was preempted.
bool Within(const JobRecord& inner, const JobRecord& outer) {
  return inner.start_ns > outer.start_ns && inner.end_ns < outer.end_ns;
}

}  // namespace

std::string_view BrokenAssumptionName(BrokenAssumption assumption) {
  switch (assumption) {
    case BrokenAssumption::kWcet:
      return "C exceeded";
    case BrokenAssumption::kJitter:
      return "release jitter exceeded";
    case BrokenAssumption::kStolen:
      return "stolen time";
    case BrokenAssumption::kInterference:
      return "interference";
    case BrokenAssumption::kNone:
      break;
  }
  return "the bound itself";
}

std::vector<int64_t> StolenFromJobs(std::span<const JobRecord> jobs,
                                    bool realtime) {
  std::vector<int64_t> stolen;
  stolen.reserve(jobs.size());
  for (size_t i = 0; i < jobs.size(); ++i) {
    const JobRecord& job = jobs[i];
    if (job.cpu_ns < 0 || job.waits > 0 || (!realtime && job.preemptions > 0)) {
      stolen.push_back(-1);
      continue;
    }
    int64_t left_ns = job.end_ns - job.start_ns - job.cpu_ns;
    for (size_t k = i + 1; k < jobs.size() && jobs[k].start_ns < job.end_ns;
         ++k) {
      if (Within(jobs[k], job)) {
        left_ns -= std::max<int64_t>(0, jobs[k].cpu_ns);
      }
    }
    stolen.push_back(std::max<int64_t>(0, left_ns));
  }
  return stolen;
}

JobExplanation ExplainJob(const JobRecord& job, std::span<const JobRecord> jobs,
                          const Plan& plan, const CoreFacts& facts,
                          int64_t excess_ns) {
  JobExplanation why;
  int64_t largest_overrun_ns = 0;
  double computed_ns = 0;  // by all jobs while this one was pending
  int64_t covered_ns = 0;  // of that time some job had the core
  int64_t covered_to_ns = job.release_ns;
  bool waited = false;
  for (const JobRecord& other : jobs) {
    if (other.start_ns >= job.end_ns) {
      break;
    }
    // One that this job interrupted did nothing meanwhile.
    if (other.end_ns <= job.release_ns || Within(job, other)) {
      continue;
    }
    const int64_t from_ns = std::max(other.start_ns, covered_to_ns);
    const int64_t to_ns = std::min(other.end_ns, job.end_ns);
    if (to_ns > from_ns) {
      covered_ns += to_ns - from_ns;
      covered_to_ns = to_ns;
    }
    const int64_t wall_ns = std::max<int64_t>(1, other.end_ns - other.start_ns);
    const int64_t cpu_ns = std::max<int64_t>(0, other.cpu_ns);
    computed_ns +=
        static_cast<double>(cpu_ns) *
        static_cast<double>(Overlap(other, job.release_ns, job.end_ns)) /
        static_cast<double>(wall_ns);
    waited = waited || other.waits > 0 || other.cpu_ns < 0 ||
             (!facts.realtime && other.preemptions > 0);
    const int64_t overrun_ns = cpu_ns - plan.tasks[other.task].wcet_ns;
    if (overrun_ns > 0) {
      why.overrun_ns += overrun_ns;
      if (overrun_ns > largest_overrun_ns) {
        largest_overrun_ns = overrun_ns;
        why.overrun_task = other.task;
      }
    }
  }
  why.late_ns = std::max<int64_t>(
      0, job.response_ns() - covered_ns - plan.tasks[job.task].jitter_ns);
  const int64_t lost_ns =
      std::max<int64_t>(0, covered_ns - static_cast<int64_t>(computed_ns));
  if (facts.steal_ns > 0) {
    // The kernel says so; it counts in steps.
    why.stolen_ns = std::min(why.late_ns + lost_ns, facts.steal_ns);
    const int64_t of_late_ns = std::min(why.late_ns, why.stolen_ns);
    why.late_ns -= of_late_ns;
    why.other_ns = std::max<int64_t>(0, lost_ns - (why.stolen_ns - of_late_ns));
  } else {
    why.other_ns = lost_ns;
  }
  if (!waited) {
    // Nobody else had the core, and no job gave it up.
    why.stolen_ns += why.other_ns;
    why.other_ns = 0;
  }
  const std::array<std::pair<int64_t, BrokenAssumption>, 4> parts{
      {{why.overrun_ns, BrokenAssumption::kWcet},
       {why.late_ns, BrokenAssumption::kJitter},
       {why.stolen_ns, BrokenAssumption::kStolen},
       {why.other_ns, BrokenAssumption::kInterference}}};
  const auto largest = std::max_element(
      parts.begin(), parts.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  // A small cause can have a larger effect, but not one of another size.
  why.broken = largest->first < excess_ns / 10 ? BrokenAssumption::kNone
                                               : largest->second;
  return why;
}

}  // namespace edgewise
