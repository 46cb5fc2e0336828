#include "scheduling/fixed_priority.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "scheduling/checked.h"
#include "scheduling/fractions.h"

namespace edgewise::scheduling {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// One task, below those of `higher` and above those of `lower`.
class Level {
 public:
  Level(std::span<const Task> tasks, size_t index,
        std::span<const size_t> higher, std::span<const size_t> lower,
        const PriorityRules& rules)
      : preemptive_(rules.preemptive) {
    int64_t longest_lower_ns = 0;
    for (const size_t j : lower) {
      longest_lower_ns = std::max(longest_lower_ns, tasks[j].wcet_ns - 1);
    }
    // Both at most 2^62, one less by a tick.
    blocking_ns_ = rules.blocking_ns + (preemptive_ ? 0 : longest_lower_ns);
    for (const size_t j : higher) tasks_.push_back(tasks[j]);
    tasks_.push_back(tasks[index]);
  }

  // The longest response, or one above enough_ns; nullopt where there is no
  // bound.
  Result<std::optional<int64_t>> Response(int64_t enough_ns,
                                          Effort* effort) const {
    const std::strong_ordering load = CompareSum(UtilisationOf(tasks_), 1);
    if (load > 0) return std::optional<int64_t>();
    const Result<int64_t> jobs = JobsOfBusyWindow(load == 0, effort);
    if (!jobs.ok()) return jobs.error();
    const Task& own = tasks_.back();
    int64_t longest_ns = 0;
    int64_t settled_ns = 0;
    for (int64_t job = 0; job < *jobs && longest_ns <= enough_ns; ++job) {
      const Result<int64_t> next_ns = Settle(job, settled_ns, effort);
      if (!next_ns.ok()) return next_ns.error();
      settled_ns = *next_ns;
      CheckedSum response(settled_ns);
      if (!preemptive_) response.Add(own.wcet_ns);
      response.Add(own.jitter_ns);
      response.AddProduct(-job, own.period_ns);
      if (response.overflowed()) return TooLarge();
      longest_ns = std::max(longest_ns, response.sum());
    }
    return std::optional(longest_ns);
  }

 private:
  // Jobs of the task that may arrive before the core has done all work of this
  // priority and above, after one blocking. With a load of exactly 100% that
  // may never be, but then responses repeat with the hyperperiod.
  Result<int64_t> JobsOfBusyWindow(bool full, Effort* effort) const {
    const Task& own = tasks_.back();
    const int64_t most = full ? JobsInHyperperiod() : kNoLimit;
    int64_t window_ns = 1;
    while (effort->Spend(static_cast<int64_t>(tasks_.size()))) {
      CheckedSum work(blocking_ns_);
      for (const Task& task : tasks_) {
        AddJobs(task, window_ns, false, &work);
      }
      CheckedSum arrivals(window_ns);
      arrivals.Add(own.jitter_ns);
      if (work.overflowed() || arrivals.overflowed()) return TooLarge();
      const int64_t jobs = CeilDiv(arrivals.sum(), own.period_ns);
      if (jobs >= most || work.sum() <= window_ns) return std::min(jobs, most);
      window_ns = work.sum();
    }
    return TooLong();
  }

  int64_t JobsInHyperperiod() const {
    int64_t hyperperiod_ns = 1;
    for (const Task& task : tasks_) {
      const auto multiple = LeastCommonMultiple(hyperperiod_ns, task.period_ns);
      if (!multiple) return kNoLimit;
      hyperperiod_ns = *multiple;
    }
    return hyperperiod_ns / tasks_.back().period_ns;
  }

  // Jobs of a task that become ready in [0, w) or, inclusive, in [0, w].
  static void AddJobs(const Task& task, int64_t w_ns, bool inclusive,
                      CheckedSum* work) {
    CheckedSum since(std::max<int64_t>(w_ns, inclusive ? 0 : 1));
    since.Add(task.jitter_ns);
    if (since.overflowed()) {
      work->AddProduct(kNoLimit, 2);  // passes the overflow on
      return;
    }
    work->AddProduct(inclusive ? since.sum() / task.period_ns + 1
                               : CeilDiv(since.sum(), task.period_ns),
                     task.wcet_ns);
  }

  // When the job of that number ends, or without preemption starts; the one
  // before did so at from_ns.
  Result<int64_t> Settle(int64_t job, int64_t from_ns, Effort* effort) const {
    int64_t w_ns = from_ns;
    while (effort->Spend(static_cast<int64_t>(tasks_.size()))) {
      CheckedSum work(blocking_ns_);
      work.AddProduct(preemptive_ ? job + 1 : job, tasks_.back().wcet_ns);
      for (size_t j = 0; j + 1 < tasks_.size(); ++j) {
        AddJobs(tasks_[j], w_ns, !preemptive_, &work);
      }
      if (work.overflowed()) return TooLarge();
      if (work.sum() <= w_ns) return w_ns;
      w_ns = work.sum();
    }
    return TooLong();
  }

  bool preemptive_;
  int64_t blocking_ns_ = 0;
  std::vector<Task> tasks_;  // the higher ones, then the task itself
};

Result<void> Check(std::span<const Task> tasks, const PriorityRules& rules) {
  if (rules.blocking_ns < 0 || rules.blocking_ns > kLongestNs) {
    return Error{ErrorCode::kInvalid,
                 "Blocking must be between 0 and 146 years."};
  }
  return CheckTimes(tasks);
}

}  // namespace

Result<ResponseBounds> PriorityResponses(std::span<const Task> by_priority,
                                         const PriorityRules& rules) {
  if (Result<void> valid = Check(by_priority, rules); !valid.ok()) {
    return valid.error();
  }
  std::vector<size_t> order(by_priority.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const std::span<const size_t> all(order);
  ResponseBounds bounds;
  Effort effort;
  for (size_t i = 0; i < order.size(); ++i) {
    const Level level(by_priority, i, all.first(i), all.subspan(i + 1), rules);
    Result<std::optional<int64_t>> response = level.Response(kNoLimit, &effort);
    if (!response.ok()) return response.error();
    bounds.push_back(*response);
  }
  return bounds;
}

Result<bool> MeetsDeadlineBetween(std::span<const Task> tasks, size_t index,
                                  std::span<const size_t> higher,
                                  std::span<const size_t> lower,
                                  const PriorityRules& rules) {
  if (Result<void> valid = Check(tasks, rules); !valid.ok()) {
    return valid.error();
  }
  Effort effort;
  const int64_t deadline_ns = tasks[index].deadline_ns;
  const Result<std::optional<int64_t>> response =
      Level(tasks, index, higher, lower, rules).Response(deadline_ns, &effort);
  if (!response.ok()) return response.error();
  return *response && **response <= deadline_ns;
}

}  // namespace edgewise::scheduling
