#include "scheduling/simulate.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

#include "scheduling/checked.h"

namespace edgewise::scheduling {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

bool IsPreemptive(Policy policy) {
  return policy == Policy::kEdf || policy == Policy::kFixedPriority;
}
bool IsEdf(Policy policy) {
  return policy == Policy::kEdf || policy == Policy::kNonPreemptiveEdf;
}

// Times beyond 64 bits never come.
int64_t Later(int64_t a_ns, int64_t b_ns) {
  CheckedSum sum(a_ns);
  sum.Add(b_ns);
  return sum.overflowed() ? kNever : sum.sum();
}

class Simulator {
 public:
  Simulator(std::span<const Task> tasks, const SimulationRequest& request)
      : tasks_(tasks),
        request_(request),
        jobs_(request.jobs ? request.jobs : Synchronous(tasks)),
        queues_(tasks.size()),
        running_(static_cast<size_t>(request.cores)) {
    result_.longest_response_ns.resize(tasks.size());
    for (size_t i = 0; i < tasks.size(); ++i) Fetch(i);
  }

  Simulation Run() {
    int64_t events = 0;
    while (now_ns_ < request_.until_ns && events++ < request_.most_events) {
      AdmitReady();
      Dispatch();
      const int64_t next_ns = NextEvent();
      if (IsLit()) Execute(next_ns);
      now_ns_ = next_ns;
    }
    result_.end_ns = now_ns_;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      queues_[i].ready.push_back(queues_[i].next);
      for (const Job& job : queues_[i].ready) {
        if (job.deadline_ns <= now_ns_) CountMissed(i, job);
      }
    }
    return std::move(result_);
  }

 private:
  struct Job {
    int64_t number = 0;
    int64_t arrival_ns = 0;
    int64_t ready_ns = 0;
    int64_t deadline_ns = 0;
    int64_t left_ns = 0;
  };
  struct Queue {
    std::deque<Job> ready;  // the first may run
    Job next;
    int64_t fetched = 0;  // jobs asked for
  };

  void Fetch(size_t task) {
    Queue& queue = queues_[task];
    const SimulatedJob job = jobs_(task, queue.fetched);
    queue.next = {
        queue.fetched, job.arrival_ns, Later(job.arrival_ns, job.delay_ns),
        Later(job.arrival_ns, tasks_[task].deadline_ns), job.execution_ns};
    ++queue.fetched;
  }

  void AdmitReady() {
    for (size_t i = 0; i < queues_.size(); ++i) {
      while (queues_[i].next.ready_ns <= now_ns_) {
        queues_[i].ready.push_back(queues_[i].next);
        Fetch(i);
      }
    }
  }

  // Smaller goes first.
  int64_t Urgency(size_t task) const {
    return IsEdf(request_.policy) ? queues_[task].ready.front().deadline_ns
                                  : static_cast<int64_t>(task);
  }

  // Puts the most urgent jobs on the cores; a job stays on its core.
  void Dispatch() {
    std::vector<size_t>& waiting = waiting_;
    waiting.clear();
    for (size_t i = 0; i < queues_.size(); ++i) {
      if (!queues_[i].ready.empty()) waiting.push_back(i);
    }
    const bool preemptive = IsPreemptive(request_.policy);
    std::stable_sort(waiting.begin(), waiting.end(), [&](size_t a, size_t b) {
      if (!preemptive && IsRunning(a) != IsRunning(b)) return IsRunning(a);
      return Urgency(a) < Urgency(b);
    });
    if (waiting.size() > running_.size()) waiting.resize(running_.size());
    for (std::optional<size_t>& core : running_) {
      const auto kept = core ? std::find(waiting.begin(), waiting.end(), *core)
                             : waiting.end();
      if (kept == waiting.end()) {
        core.reset();
      } else {
        waiting.erase(kept);
      }
    }
    for (std::optional<size_t>& core : running_) {
      if (core || waiting.empty()) continue;
      core = waiting.front();
      waiting.erase(waiting.begin());
    }
  }

  bool IsRunning(size_t task) const {
    return std::find(running_.begin(), running_.end(), std::optional(task)) !=
           running_.end();
  }

  // Where the supply stands within its period; negative in the blackout.
  int64_t Phase() const {
    const int64_t lit_ns = now_ns_ - request_.supply.blackout_ns;
    return lit_ns < 0 ? lit_ns : lit_ns % request_.supply.period_ns;
  }
  bool IsWholeCore() const {
    return request_.supply.quota_ns == request_.supply.period_ns &&
           request_.supply.blackout_ns == 0;
  }
  bool IsLit() const {
    return IsWholeCore() ||
           (Phase() >= 0 && Phase() < request_.supply.quota_ns);
  }

  int64_t NextEvent() const {
    int64_t next_ns = request_.until_ns;
    for (const Queue& queue : queues_) {
      next_ns = std::min(next_ns, queue.next.ready_ns);
    }
    if (!IsWholeCore()) {
      const int64_t change_ns = Phase() < 0 ? 0
                                : IsLit()   ? request_.supply.quota_ns
                                            : request_.supply.period_ns;
      next_ns = std::min(next_ns, Later(now_ns_, change_ns - Phase()));
    }
    if (!IsLit()) return next_ns;
    for (const std::optional<size_t>& core : running_) {
      if (!core) continue;
      next_ns = std::min(next_ns,
                         Later(now_ns_, queues_[*core].ready.front().left_ns));
    }
    return next_ns;
  }

  void Execute(int64_t until_ns) {
    for (size_t core = 0; core < running_.size(); ++core) {
      if (!running_[core]) continue;
      const size_t task = *running_[core];
      Job& job = queues_[task].ready.front();
      Record({task, job.number, static_cast<int>(core), now_ns_, until_ns});
      job.left_ns -= until_ns - now_ns_;
      if (job.left_ns > 0) continue;
      std::optional<int64_t>& longest = result_.longest_response_ns[task];
      longest = std::max(longest.value_or(0), until_ns - job.arrival_ns);
      if (until_ns > job.deadline_ns) CountMissed(task, job);
      queues_[task].ready.pop_front();
      running_[core].reset();
    }
  }

  // Longer where it goes on from the core's last slice.
  void Record(const Slice& slice) {
    const size_t recent = std::min(result_.slices.size(), running_.size());
    for (size_t back = 1; back <= recent; ++back) {
      Slice& last = result_.slices[result_.slices.size() - back];
      if (last.core == slice.core && last.task == slice.task &&
          last.job == slice.job && last.end_ns == slice.start_ns) {
        last.end_ns = slice.end_ns;
        return;
      }
    }
    if (result_.slices.size() < request_.most_slices) {
      result_.slices.push_back(slice);
    } else {
      result_.all_slices = false;
    }
  }

  void CountMissed(size_t task, const Job& job) {
    ++result_.missed;
    if (!result_.first_missed ||
        job.deadline_ns < result_.first_missed->deadline_ns) {
      result_.first_missed = {task, job.number, job.deadline_ns};
    }
  }

  std::span<const Task> tasks_;
  const SimulationRequest& request_;
  JobSource jobs_;
  std::vector<Queue> queues_;
  std::vector<std::optional<size_t>> running_;  // a task on each core
  std::vector<size_t> waiting_;                 // kept for its memory
  int64_t now_ns_ = 0;
  Simulation result_;
};

}  // namespace

JobSource Synchronous(std::span<const Task> tasks) {
  return [tasks](size_t task, int64_t job) -> SimulatedJob {
    int64_t arrival_ns = 0;
    if (__builtin_mul_overflow(job, tasks[task].period_ns, &arrival_ns)) {
      arrival_ns = kNever;
    }
    return {arrival_ns, 0, tasks[task].wcet_ns};
  };
}

Result<Simulation> Simulate(std::span<const Task> tasks,
                            const SimulationRequest& request) {
  if (Result<void> valid = CheckTimes(tasks); !valid.ok()) {
    return valid.error();
  }
  if (request.cores < 1) {
    return Error{ErrorCode::kInvalid, "A simulation needs at least one core."};
  }
  return Simulator(tasks, request).Run();
}

}  // namespace edgewise::scheduling
