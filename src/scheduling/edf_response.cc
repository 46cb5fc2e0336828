#include "scheduling/edf_response.h"

#include <algorithm>

#include "scheduling/checked.h"
#include "scheduling/fractions.h"

namespace edgewise::scheduling {
namespace {

// The longest stretch in which the core never idles, or limit_ns if that is
// less; nullopt where its end is not found.
std::optional<int64_t> BusyPeriod(std::span<const Task> tasks,
                                  std::optional<int64_t> limit_ns) {
  Effort effort(Effort::kMostSteps / 10);
  int64_t busy_ns = 0;
  while (effort.Spend(static_cast<int64_t>(tasks.size()))) {
    CheckedSum work;
    for (const Task& task : tasks) {
      CheckedSum window(std::max<int64_t>(busy_ns, 1));
      window.Add(task.jitter_ns);
      if (window.overflowed()) return limit_ns;
      work.AddProduct(CeilDiv(window.sum(), task.period_ns), task.wcet_ns);
    }
    if (work.overflowed()) return limit_ns;
    if (work.sum() == busy_ns) return busy_ns;
    busy_ns = work.sum();
    if (limit_ns && busy_ns >= *limit_ns) return limit_ns;
  }
  return limit_ns;
}

// With a load of exactly 100%, responses repeat with the hyperperiod once
// every task has had a deadline.
std::optional<int64_t> LastArrivalByHyperperiod(std::span<const Task> tasks) {
  int64_t hyperperiod_ns = 1;
  int64_t start_ns = 0;
  for (const Task& task : tasks) {
    const auto multiple = LeastCommonMultiple(hyperperiod_ns, task.period_ns);
    if (!multiple) return std::nullopt;
    hyperperiod_ns = *multiple;
    start_ns = std::max(start_ns, task.deadline_ns);
  }
  return hyperperiod_ns + start_ns;  // at most 2^61 + 2^62
}

// Responses of the jobs of one task, asked for in the order of their arrivals:
// a later job never ends before an earlier one, so the search for its end
// starts there.
class JobResponse {
 public:
  JobResponse(std::span<const Task> tasks, bool preemptive, size_t index)
      : tasks_(tasks), preemptive_(preemptive), index_(index) {}

  // The end of its busy period less its arrival. The arrival may be negative:
  // the first job of a busy period became ready late.
  Result<int64_t> At(int64_t arrival_ns, Effort* effort) {
    const Task& own = tasks_[index_];
    CheckedSum due(arrival_ns);
    due.Add(own.deadline_ns);
    if (due.overflowed()) return TooLarge();
    int64_t blocking_ns = 0;
    rivals_.clear();
    for (size_t j = 0; j < tasks_.size(); ++j) {
      if (j == index_) continue;
      const Task& other = tasks_[j];
      CheckedSum window(due.sum() - other.deadline_ns);  // fits: due > -2^62
      window.Add(other.jitter_ns);
      if (window.overflowed()) return TooLarge();
      if (window.sum() < 0) {
        blocking_ns = std::max(blocking_ns, other.wcet_ns - 1);
      } else {
        rivals_.push_back({other.wcet_ns, other.period_ns, other.jitter_ns,
                           1 + window.sum() / other.period_ns});
      }
    }
    CheckedSum since(arrival_ns);
    since.Add(own.jitter_ns);
    if (since.overflowed()) return TooLarge();
    const int64_t before = since.sum() / own.period_ns;
    CheckedSum fixed(preemptive_ ? 0 : blocking_ns);
    fixed.AddProduct(preemptive_ ? before + 1 : before, own.wcet_ns);
    Result<int64_t> end_ns = Settle(fixed, effort);
    if (!end_ns.ok()) return end_ns;
    CheckedSum response(*end_ns);
    if (!preemptive_) response.Add(own.wcet_ns);
    response.Add(-arrival_ns);
    if (response.overflowed()) return TooLarge();
    return response.sum();
  }

 private:
  struct Rival {
    int64_t wcet_ns;
    int64_t period_ns;
    int64_t jitter_ns;
    int64_t most_jobs;  // with a deadline no later than the job's
  };

  // The least w with w = fixed + work of the rivals until w: until then
  // rivals that become ready later wait. Without preemption it is the start,
  // and rivals that become ready at w itself still come first.
  Result<int64_t> Settle(CheckedSum fixed, Effort* effort) {
    int64_t& end_ns = last_end_ns_;
    while (effort->Spend(static_cast<int64_t>(rivals_.size()) + 1)) {
      CheckedSum work = fixed;
      for (const Rival& rival : rivals_) {
        CheckedSum window(end_ns);
        window.Add(rival.jitter_ns);
        if (window.overflowed()) return TooLarge();
        const int64_t jobs =
            preemptive_
                ? CeilDiv(std::max<int64_t>(window.sum(), 1), rival.period_ns)
                : 1 + window.sum() / rival.period_ns;
        work.AddProduct(std::min(jobs, rival.most_jobs), rival.wcet_ns);
      }
      if (work.overflowed()) return TooLarge();
      if (work.sum() == end_ns) return end_ns;
      end_ns = work.sum();
    }
    return TooLong();
  }

  std::span<const Task> tasks_;
  bool preemptive_;
  size_t index_;
  std::vector<Rival> rivals_;
  int64_t last_end_ns_ = 0;
};

// Arrivals of tasks[index] in [-jitter, until) at which its deadline coincides
// with one of jobs that are released together at 0.
Result<std::vector<int64_t>> Arrivals(std::span<const Task> tasks, size_t index,
                                      int64_t until_ns, Effort* effort) {
  const Task& own = tasks[index];
  std::vector<int64_t> arrivals;
  for (const Task& other : tasks) {
    // Of its first job, then the first that is not before -jitter.
    Int128 arrival =
        Int128{other.deadline_ns} - other.jitter_ns - own.deadline_ns;
    const Int128 behind = -Int128{own.jitter_ns} - arrival;
    if (behind > 0) {
      arrival +=
          (behind + other.period_ns - 1) / other.period_ns * other.period_ns;
    }
    for (; arrival < until_ns; arrival += other.period_ns) {
      // Each will cost about that much, so none is kept in vain.
      if (!effort->Spend(static_cast<int64_t>(4 * tasks.size()) + 16)) {
        return TooLong();
      }
      arrivals.push_back(static_cast<int64_t>(arrival));
    }
  }
  std::sort(arrivals.begin(), arrivals.end());
  arrivals.erase(std::unique(arrivals.begin(), arrivals.end()), arrivals.end());
  return arrivals;
}

}  // namespace

Result<ResponseBounds> EdfResponses(std::span<const Task> tasks,
                                    bool preemptive) {
  if (Result<void> valid = CheckTimes(tasks); !valid.ok()) {
    return valid.error();
  }
  ResponseBounds bounds(tasks.size());
  const std::strong_ordering load = CompareSum(UtilisationOf(tasks), 1);
  if (load > 0 || tasks.empty()) return bounds;
  const std::optional<int64_t> until_ns = BusyPeriod(
      tasks, load == 0 ? LastArrivalByHyperperiod(tasks) : std::nullopt);
  if (!until_ns) return TooLong();
  Effort effort;
  for (size_t i = 0; i < tasks.size(); ++i) {
    Result<std::vector<int64_t>> arrivals =
        Arrivals(tasks, i, *until_ns, &effort);
    if (!arrivals.ok()) return arrivals.error();
    JobResponse job(tasks, preemptive, i);
    CheckedSum alone(tasks[i].wcet_ns);
    alone.Add(tasks[i].jitter_ns);
    if (alone.overflowed()) return TooLarge();
    int64_t longest_ns = alone.sum();
    for (const int64_t arrival_ns : *arrivals) {
      Result<int64_t> response_ns = job.At(arrival_ns, &effort);
      if (!response_ns.ok()) return response_ns.error();
      longest_ns = std::max(longest_ns, *response_ns);
    }
    bounds[i] = longest_ns;
  }
  return bounds;
}

}  // namespace edgewise::scheduling
