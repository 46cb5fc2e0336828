#include "execution/dispatch_crew.h"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "controls/affinity.h"
#include "controls/policy.h"
#include "execution/permitted_plan.h"
#include "execution/thread_class.h"

namespace edgewise {
namespace {

// 0 or errno. Threads that get a priority for each job only try it here.
int GivePolicy(pid_t tid, const PlannedTask& task) {
  int error = 0;
  switch (task.executor) {
    case Executor::kEdf:
    case Executor::kEdfPreemptive:
      error = SetPolicy(tid, SCHED_FIFO, kLadderBottom);
      return error != 0 ? error : SetPolicy(tid, SCHED_OTHER, 0);
    case Executor::kFifo:
      return SetPolicy(tid, SCHED_FIFO, task.priority.value_or(1));
    case Executor::kRr:
      return SetPolicy(tid, SCHED_RR, task.priority.value_or(1));
    case Executor::kDeadline:
      return SetDeadlineClass(tid, {task.runtime_ns.value_or(task.wcet_ns),
                                    task.deadline_ns, task.period_ns});
    case Executor::kOther:
      break;
  }
  return 0;
}

}  // namespace

DispatchCrew::DispatchCrew(const Plan& plan, bool naive, bool realtime)
    : plan_(plan), naive_(naive), realtime_(!naive && realtime) {
  for (uint32_t i = 0; i < plan.tasks.size(); ++i) {
    const std::vector<int>& cores = plan.tasks[i].cores;
    auto group =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& each) {
          return naive ||
                 (each.cores.empty() == cores.empty() &&
                  (cores.empty() || each.cores.front() == cores.front()));
        });
    if (group == groups_.end()) {
      group = groups_.insert(groups_.end(), Group{});
      group->cores = naive ? std::vector<int>{} : cores;
    }
    group->tasks.push_back(i);
  }
}

DispatchCrew::~DispatchCrew() {
  StopAll();
  Join();
}

Result<std::vector<TaskChannel>> DispatchCrew::MakeChannels() {
  std::vector<TaskChannel> channels(plan_.tasks.size());
  for (Group& group : groups_) {
    const auto slots = static_cast<uint32_t>(group.tasks.size());
    auto file = ReleaseFile::Create(slots);
    if (!file) {
      return file.error();
    }
    group.file = std::make_unique<ReleaseFile>(std::move(*file));
    for (uint32_t slot = 0; slot < slots; ++slot) {
      channels[group.tasks[slot]] = {group.file.get(), slot};
    }
  }
  return channels;
}

void DispatchCrew::Broken(std::string sentence) {
  broken_assumptions_.push_back(std::move(sentence));
}

void DispatchCrew::PrepareThread(pid_t tid, DispatchedTask& task) {
  const PlannedTask& plan = task.plan;
  if (!realtime_ || !NeedsRealtime(plan)) {
    return;
  }
  if (!IsDescendantThread(tid)) {
    Broken("task " + plan.name +
           " has its policy: its thread cannot be found (it may be in a "
           "container), so it runs as it is");
    return;
  }
  if (const int error = GivePolicy(tid, plan)) {
    Broken("task " + plan.name + " has its policy (" +
           std::string(ExecutorName(plan.executor)) + "): " + ErrnoText(error) +
           ", so it runs with the ordinary one");
    return;
  }
  if (plan.executor == Executor::kEdf ||
      plan.executor == Executor::kEdfPreemptive) {
    task.tid = tid;
  }
}

void DispatchCrew::RunDispatcher(Group& group) const {
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  if (!group.cores.empty()) {
    (void)SetAffinity(0, group.cores.data(), 1);
  }
  if (realtime_) {
    (void)SetPolicy(0, SCHED_FIFO, kDispatcherPriority);
  }
  if (naive_) {
    group.dispatcher->RunNaively();
  } else {
    group.dispatcher->Run();
  }
}

void DispatchCrew::Start(const DispatchTimes& times) {
  for (Group& group : groups_) {
    std::vector<DispatchedTask> tasks;
    for (uint32_t slot = 0; slot < group.tasks.size(); ++slot) {
      DispatchedTask task;
      task.index = group.tasks[slot];
      task.plan = plan_.tasks[task.index];
      PrepareThread(group.file->ClaimedBy(slot), task);
      if (naive_) {
        task.plan.on_miss = MissPolicy::kFinish;
        task.plan.executor = Executor::kOther;
      }
      tasks.push_back(std::move(task));
    }
    group.dispatcher =
        std::make_unique<Dispatcher>(*group.file, std::move(tasks), times);
  }
  for (Group& group : groups_) {
    group.thread = std::thread([this, &group] { RunDispatcher(group); });
  }
}

void DispatchCrew::StopAll() {
  for (Group& group : groups_) {
    if (group.dispatcher) {
      group.dispatcher->Stop();
    }
  }
}

void DispatchCrew::Join() {
  for (Group& group : groups_) {
    if (group.thread.joinable()) {
      group.thread.join();
    }
  }
}

void DispatchCrew::Drain(const std::function<void(const JobRecord&)>& take) {
  for (Group& group : groups_) {
    group.dispatcher->jobs().Drain(take);
  }
}

bool DispatchCrew::any_hung() const {
  return std::any_of(groups_.begin(), groups_.end(), [](const Group& group) {
    return group.dispatcher->gave_up();
  });
}

std::optional<uint32_t> DispatchCrew::hung_task() const {
  for (const Group& group : groups_) {
    if (const auto task = group.dispatcher->hung_task()) {
      return task;
    }
  }
  return std::nullopt;
}

std::vector<DispatchAccount> DispatchCrew::Accounts() const {
  std::vector<DispatchAccount> accounts(plan_.tasks.size());
  for (const Group& group : groups_) {
    for (size_t slot = 0; slot < group.tasks.size(); ++slot) {
      accounts[group.tasks[slot]] = group.dispatcher->AccountOf(slot);
    }
  }
  return accounts;
}

std::vector<std::vector<uint32_t>> DispatchCrew::Groups() const {
  std::vector<std::vector<uint32_t>> groups;
  for (const Group& group : groups_) {
    groups.push_back(group.tasks);
  }
  return groups;
}

int64_t DispatchCrew::cpu_ns() const {
  int64_t sum_ns = 0;
  for (const Group& group : groups_) {
    sum_ns += group.dispatcher->cpu_ns();
  }
  return sum_ns;
}

int64_t DispatchCrew::lost_records() const {
  int64_t sum = 0;
  for (const Group& group : groups_) {
    sum += group.dispatcher->jobs().dropped();
  }
  return sum;
}

}  // namespace edgewise
