#include "execution/dispatcher.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "base/clock.h"
#include "controls/policy.h"
#include "execution/thread_class.h"

namespace edgewise {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 2;

}  // namespace

Dispatcher::Dispatcher(ReleaseFile& file, std::vector<DispatchedTask> tasks,
                       const DispatchTimes& times)
    : file_(file), times_(times) {
  for (DispatchedTask& task : tasks) {
    TaskJobs jobs(task.plan, times.start_ns, times.end_ns);
    tasks_.push_back({std::move(task), jobs});
  }
}

void Dispatcher::Stop() {
  stop_.store(true, std::memory_order_release);
  file_.Ring();
}

DispatchAccount Dispatcher::AccountOf(size_t slot) const {
  const TaskJobs& jobs = tasks_[slot].jobs;
  return {jobs.skipped(), jobs.Overdue(ended_ns_), jobs.running() ? 1 : 0};
}

void Dispatcher::SetPriority(State& state, int priority) {
  if (state.task.tid == 0 || state.priority == priority) {
    return;
  }
  state.priority = priority;
  (void)SetPolicy(state.task.tid, priority > 0 ? SCHED_FIFO : SCHED_OTHER,
                  priority);
}

void Dispatcher::OrderLadder() {
  std::sort(ladder_.begin(), ladder_.end(), [this](size_t a, size_t b) {
    const auto deadline = [this](size_t slot) {
      const State& state = tasks_[slot];
      return state.jobs.DeadlineOf(state.number - 1);
    };
    return std::pair(deadline(a), a) < std::pair(deadline(b), b);
  });
  // Upwards from the last, so that no two ever have the same rank the wrong
  // way round.
  int priority = std::max(kLadderBottom,
                          kLadderTop - static_cast<int>(ladder_.size()) + 1);
  for (auto slot = ladder_.rbegin(); slot != ladder_.rend(); ++slot) {
    SetPriority(tasks_[*slot], std::min(priority++, kLadderTop));
  }
}

void Dispatcher::Begin(size_t slot, int64_t now_ns) {
  State& state = tasks_[slot];
  const auto job = state.jobs.Upcoming();
  assert(job);
  state.jobs.Begin();
  state.number = static_cast<uint32_t>(*job) + 1;
  state.dispatched_ns = now_ns;
  if (state.task.plan.executor == Executor::kEdf) {
    SetPriority(state, kEdfPriority);
  } else if (state.task.plan.executor == Executor::kEdfPreemptive) {
    ladder_.push_back(slot);
    OrderLadder();
  }
  file_.Release(static_cast<uint32_t>(slot), state.number,
                state.jobs.ReleaseOf(*job), state.jobs.DeadlineOf(*job));
}

bool Dispatcher::Collect(size_t slot, int64_t now_ns) {
  State& state = tasks_[slot];
  const SlotNews news = file_.Read(static_cast<uint32_t>(slot));
  if (news.done != state.number) {
    return false;
  }
  JobRecord job;
  job.task = state.task.index;
  job.number = state.number;
  job.release_ns = state.jobs.ReleaseOf(state.number - 1);
  job.deadline_ns = state.jobs.DeadlineOf(state.number - 1);
  job.dispatched_ns = state.dispatched_ns;
  // A program that tells nonsense is believed no more than is possible.
  job.start_ns = std::clamp(news.start_ns, state.dispatched_ns, now_ns);
  job.end_ns = std::clamp(news.end_ns, job.start_ns, now_ns);
  job.cpu_ns = news.cpu_ns;
  job.waits = news.waits;
  job.preemptions = news.preemptions;
  jobs_.Push(job);
  state.jobs.End(job.end_ns);
  if (state.task.plan.executor == Executor::kEdf ||
      state.task.plan.executor == Executor::kEdfPreemptive) {
    std::erase(ladder_, slot);
    SetPriority(state, 0);
  }
  return true;
}

bool Dispatcher::CollectAll(int64_t now_ns) {
  bool any = false;
  for (size_t slot = 0; slot < tasks_.size(); ++slot) {
    any = (tasks_[slot].jobs.running() && Collect(slot, now_ns)) || any;
  }
  return any;
}

bool Dispatcher::AnyRunning(bool only_edf) const {
  return std::any_of(tasks_.begin(), tasks_.end(), [&](const State& state) {
    return state.jobs.running() &&
           (!only_edf || state.task.plan.executor == Executor::kEdf);
  });
}

std::optional<size_t> Dispatcher::EarliestReady(int64_t now_ns) const {
  std::optional<size_t> earliest;
  int64_t deadline_ns = kNever;
  for (size_t slot = 0; slot < tasks_.size(); ++slot) {
    const State& state = tasks_[slot];
    if (state.task.plan.executor != Executor::kEdf) {
      continue;
    }
    if (const auto job = state.jobs.Ready(now_ns);
        job && state.jobs.DeadlineOf(*job) < deadline_ns) {
      deadline_ns = state.jobs.DeadlineOf(*job);
      earliest = slot;
    }
  }
  return earliest;
}

void Dispatcher::DispatchReady(int64_t now_ns) {
  for (size_t slot = 0; slot < tasks_.size(); ++slot) {
    if (tasks_[slot].task.plan.executor != Executor::kEdf &&
        tasks_[slot].jobs.Ready(now_ns)) {
      Begin(slot, now_ns);
    }
  }
  if (!AnyRunning(true)) {
    if (const auto slot = EarliestReady(now_ns)) {
      Begin(*slot, now_ns);
    }
  }
}

void Dispatcher::WatchJobs(int64_t now_ns) {
  for (const State& state : tasks_) {
    if (state.jobs.running() &&
        now_ns - state.dispatched_ns > times_.watchdog_ns) {
      hung_task_ = state.task.index;
      gave_up_.store(true, std::memory_order_release);
    }
  }
}

int64_t Dispatcher::NextWakeNs(int64_t now_ns) const {
  int64_t wake_ns = kNever;
  const bool edf_runs = AnyRunning(true);
  for (const State& state : tasks_) {
    if (state.jobs.running()) {
      wake_ns = std::min(wake_ns, state.dispatched_ns + times_.watchdog_ns + 1);
    } else if (state.task.plan.executor == Executor::kEdf && edf_runs) {
      // Its release changes nothing: the end of the job that runs will.
    } else if (const auto next = state.jobs.NextReleaseNs(now_ns)) {
      wake_ns = std::min(wake_ns, *next);
    }
  }
  return wake_ns;
}

void Dispatcher::Conclude() {
  for (State& state : tasks_) {
    SetPriority(state, 0);
  }
  ended_ns_ = std::min(MonotonicNs(), times_.end_ns);
  cpu_ns_ = ThreadCpuNs();
}

void Dispatcher::Run() {
  for (;;) {
    const uint32_t seen = file_.doorbell();
    const int64_t now_ns = MonotonicNs();
    CollectAll(now_ns);
    WatchJobs(now_ns);
    if (stopped() || hung_task_) {
      break;
    }
    // From the end on what runs may end; nothing begins.
    if (now_ns < times_.end_ns) {
      DispatchReady(now_ns);
    } else if (!AnyRunning(false)) {
      break;
    }
    const int64_t wake_ns = NextWakeNs(now_ns);
    file_.Wait(seen, now_ns < times_.end_ns ? std::min(wake_ns, times_.end_ns)
                                            : wake_ns);
  }
  Conclude();
}

// Waits for the task's release, and its job. False if it is all over.
bool Dispatcher::NaiveTurn(size_t slot) {
  State& state = tasks_[slot];
  const auto job = state.jobs.Upcoming();
  const int64_t release_ns = state.jobs.ReleaseOf(*job);
  for (;;) {
    const uint32_t seen = file_.doorbell();
    const int64_t now_ns = MonotonicNs();
    if (stopped() || now_ns >= times_.end_ns) {
      return false;
    }
    if (now_ns >= release_ns) {
      Begin(slot, now_ns);
      break;
    }
    file_.Wait(seen, release_ns);
  }
  for (;;) {
    const uint32_t seen = file_.doorbell();
    const int64_t now_ns = MonotonicNs();
    if (Collect(slot, now_ns)) {
      return true;
    }
    WatchJobs(now_ns);
    if (stopped() || hung_task_) {
      return false;
    }
    file_.Wait(seen, NextWakeNs(now_ns));
  }
}

void Dispatcher::RunNaively() {
  for (;;) {
    // The head of the lab's heap: the earliest deadline of all next jobs,
    // released or not.
    std::optional<size_t> first;
    int64_t deadline_ns = kNever;
    for (size_t slot = 0; slot < tasks_.size(); ++slot) {
      const auto job = tasks_[slot].jobs.Upcoming();
      if (job && tasks_[slot].jobs.DeadlineOf(*job) < deadline_ns) {
        deadline_ns = tasks_[slot].jobs.DeadlineOf(*job);
        first = slot;
      }
    }
    if (!first || !NaiveTurn(*first)) {
      break;
    }
  }
  Conclude();
}

}  // namespace edgewise
