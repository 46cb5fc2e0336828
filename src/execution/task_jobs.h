// TaskJobs: the jobs of one task as time goes by: which are due, which one is
// to run next, which are left out. Pure arithmetic on absolute times, so that
// nothing drifts.
#ifndef EDGEWISE_EXECUTION_TASK_JOBS_H_
#define EDGEWISE_EXECUTION_TASK_JOBS_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "scheduling/plan.h"

namespace edgewise {

// Jobs are numbered from 0; number k is released at first + k × period.
class TaskJobs {
 public:
  // No job is released at or after `end_ns`. The period is above 0.
  TaskJobs(const PlannedTask& task, int64_t first_ns, int64_t end_ns)
      : first_ns_(first_ns),
        period_ns_(task.period_ns),
        deadline_ns_(task.deadline_ns),
        on_miss_(task.on_miss),
        last_(end_ns > first_ns ? (end_ns - first_ns - 1) / task.period_ns
                                : -1) {}

  int64_t ReleaseOf(int64_t job) const { return first_ns_ + job * period_ns_; }
  int64_t DeadlineOf(int64_t job) const {
    return ReleaseOf(job) + deadline_ns_;
  }

  // When the next job that is not due at `now_ns` will be.
  std::optional<int64_t> NextReleaseNs(int64_t now_ns) const {
    const int64_t job = Due(now_ns);
    return job <= last_ ? std::optional(ReleaseOf(job)) : std::nullopt;
  }
  // The oldest job that is due and has not begun; nullopt if there is none, or
  // one runs.
  std::optional<int64_t> Ready(int64_t now_ns) const {
    return !running_ && next_ < Due(now_ns) ? std::optional(next_)
                                            : std::nullopt;
  }
  // The same without looking at the clock; nullopt if one runs or no more
  // will come.
  std::optional<int64_t> Upcoming() const {
    return !running_ && next_ <= last_ ? std::optional(next_) : std::nullopt;
  }

  bool running() const { return running_; }
  // Only if Upcoming().
  void Begin() { running_ = true; }
  // The job that runs has ended. With MissPolicy::kSkip a late one takes those
  // with it that were released meanwhile.
  void End(int64_t end_ns) {
    const bool late = end_ns > DeadlineOf(next_);
    running_ = false;
    ++next_;
    if (late && on_miss_ == MissPolicy::kSkip && Due(end_ns) > next_) {
      skipped_ += Due(end_ns) - next_;
      next_ = Due(end_ns);
    }
  }

  int64_t skipped() const { return skipped_; }
  // Jobs that have not begun though their deadlines have passed.
  int64_t Overdue(int64_t now_ns) const {
    const int64_t first = next_ + (running_ ? 1 : 0);
    int64_t count = 0;
    if (now_ns - deadline_ns_ >= first_ns_) {
      count = (now_ns - deadline_ns_ - first_ns_) / period_ns_ + 1;
    }
    return std::max<int64_t>(0, std::min(count, last_ + 1) - first);
  }

 private:
  // How many jobs have been released.
  int64_t Due(int64_t now_ns) const {
    return now_ns < first_ns_
               ? 0
               : std::min((now_ns - first_ns_) / period_ns_, last_) + 1;
  }

  int64_t first_ns_;
  int64_t period_ns_;
  int64_t deadline_ns_;
  MissPolicy on_miss_;
  int64_t last_;  // number of the last job; -1: none
  int64_t next_ = 0;
  int64_t skipped_ = 0;
  bool running_ = false;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_TASK_JOBS_H_
