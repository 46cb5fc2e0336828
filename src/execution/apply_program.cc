#include "execution/apply_program.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/cgroups.h"
#include "base/text.h"
#include "base/units.h"
#include "execution/running_program.h"

namespace edgewise {
namespace {

// Threads may begin while others are changed.
constexpr int kMostPasses = 4;

std::string ChrtCommand(const SchedulingAttributes& attributes, pid_t pid) {
  switch (attributes.policy) {
    case SCHED_FIFO:
      return fmt::format("chrt -a -f -p {} {}", attributes.priority, pid);
    case SCHED_RR:
      return fmt::format("chrt -a -r -p {} {}", attributes.priority, pid);
    case kPolicyDeadline:
      return fmt::format(
          "chrt -R -d --sched-runtime {} --sched-deadline {} --sched-period {} "
          "-p 0 {}",
          attributes.runtime_ns, attributes.deadline_ns, attributes.period_ns,
          pid);
    default:
      return fmt::format("chrt -a -o -p 0 {}", pid);
  }
}

bool IsOrdinary(const SchedulingAttributes& attributes) {
  return attributes.policy == SCHED_OTHER || attributes.policy == SCHED_BATCH;
}

}  // namespace

std::optional<SchedulingAttributes> AttributesFor(const PlannedTask& task) {
  SchedulingAttributes attributes;
  switch (task.executor) {
    case Executor::kFifo:
    case Executor::kRr:
      attributes.policy =
          task.executor == Executor::kFifo ? SCHED_FIFO : SCHED_RR;
      attributes.priority = static_cast<uint32_t>(task.priority.value_or(1));
      return attributes;
    case Executor::kDeadline:
      attributes.policy = kPolicyDeadline;
      attributes.flags = kFlagResetOnFork;
      attributes.runtime_ns =
          static_cast<uint64_t>(task.runtime_ns.value_or(task.wcet_ns));
      attributes.deadline_ns =
          static_cast<uint64_t>(std::min(task.deadline_ns, task.period_ns));
      attributes.period_ns = static_cast<uint64_t>(task.period_ns);
      return attributes;
    case Executor::kEdf:
    case Executor::kEdfPreemptive:
    case Executor::kOther:
      break;
  }
  return std::nullopt;
}

void ProgramApplier::Tell(const PlannedTask& task, pid_t pid, std::string what,
                          std::string command) const {
  listener_({task.name, pid, std::move(what), std::move(command)});
}

Result<void> ProgramApplier::Enter(const AppliedGroup& group,
                                   const std::string& controller,
                                   const PlannedTask& task, pid_t pid) {
  std::string what = controller == "cpu" ? "quota" : "cpuset";
  std::string command = "mkdir -p " + group.folder.string();
  for (const auto& [file, value] : group.settings) {
    what += fmt::format(" {}={}", file, value);
    command +=
        fmt::format("; echo {} > {}/{}", value, group.folder.string(), file);
  }
  command +=
      fmt::format("; echo {} > {}/cgroup.procs", pid, group.folder.string());
  if (journal_ == nullptr) {
    Tell(task, pid, what, command);
    return {};
  }
  if (auto noted = journal_->AddCgroup(group.folder); !noted) {
    return noted;
  }
  if (::mkdir(group.folder.c_str(), 0755) != 0 && errno != EEXIST) {
    return Error{
        ErrorCodeFromErrno(errno),
        "cannot make the cgroup " + group.folder.string() + ": " + ErrnoText()};
  }
  for (const auto& [file, value] : group.settings) {
    if (auto set = WriteFile(group.folder / file, value); !set) {
      return set;
    }
  }
  std::set<pid_t> processes;
  for (const ProgramThread& thread : ThreadsOf(pid)) {
    processes.insert(thread.process);
  }
  for (const pid_t process : processes) {
    const auto layout = FindCgroups("/", std::to_string(process));
    const auto start = StartTicks(process);
    const auto from =
        layout ? CgroupFolderOf(*layout, controller) : std::nullopt;
    if (!start || !from || *from == group.folder) {
      continue;
    }
    if (auto noted = journal_->Add(MemberBefore{process, *start, *from});
        !noted) {
      return noted;
    }
    if (auto moved =
            WriteFile(group.folder / "cgroup.procs", std::to_string(process));
        !moved && StartTicks(process)) {
      return moved;
    }
  }
  Tell(task, pid, what, command);
  return {};
}

Result<void> ProgramApplier::Note(const ProgramThread& thread,
                                  const ThreadState& state) {
  before_[thread.thread] = state;
  if (journal_ == nullptr) {
    return {};
  }
  // One that began after an earlier apply is a copy of what that had set; its
  // process's first thread tells how it would have been.
  const auto& noted = journal_->record().threads;
  ThreadBefore before{thread.process, thread.thread, thread.start_ticks, state};
  for (size_t i = 0; i < earlier_; ++i) {
    if (noted[i].thread == thread.process &&
        StartTicks(thread.process) == noted[i].start_ticks) {
      before.state = noted[i].state;
    }
  }
  return journal_->Add(before);
}

Result<void> ProgramApplier::NoteThreads(pid_t pid) {
  before_.clear();
  for (const ProgramThread& thread : ThreadsOf(pid)) {
    if (const auto state = ReadThreadState(thread.thread)) {
      if (auto noted = Note(thread, *state); !noted) {
        return noted;
      }
    }
  }
  return {};
}

Result<int> ProgramApplier::SetThread(const PlannedTask& task, pid_t pid,
                                      const ProgramThread& thread) {
  const auto now = ReadThreadState(thread.thread);
  if (!now) {
    return ESRCH;
  }
  if (!before_.contains(thread.thread)) {
    // It began meanwhile, as a copy of one that may have been changed.
    const auto first = before_.find(pid);
    if (auto noted =
            Note(thread, first == before_.end() ? *now : first->second);
        !noted) {
      return noted.error();
    }
  }
  ThreadState after{task.cores, now->attributes};
  std::sort(after.cpus.begin(), after.cpus.end());
  const auto wanted = AttributesFor(task);
  // SCHED_DEADLINE is for the thread that does the job, not for all.
  if (wanted &&
      (task.executor != Executor::kDeadline || thread.thread == pid)) {
    after.attributes = *wanted;
  } else if (!wanted && !IsOrdinary(now->attributes)) {
    after.attributes = SchedulingAttributes{};
  }
  if (journal_ == nullptr || after == *now) {
    return 0;
  }
  return SetThreadState(thread.thread, after);
}

Result<void> ProgramApplier::SetThreads(const PlannedTask& task, pid_t pid,
                                        std::vector<std::string>* refused) {
  std::set<pid_t> done;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    bool found = false;
    for (const ProgramThread& thread : ThreadsOf(pid)) {
      if (!done.insert(thread.thread).second) {
        continue;
      }
      found = true;
      const auto error = SetThread(task, pid, thread);
      if (!error) {
        return error.error();
      }
      if (*error != 0 && *error != ESRCH) {
        refused->push_back(fmt::format(
            "task {} (pid {}): the kernel refused cores {} under {}: {}",
            task.name, pid, FormatCpuList(task.cores),
            ExecutorName(task.executor), ErrnoText(*error)));
        return {};
      }
    }
    if (!found) {
      break;
    }
  }
  const auto first = before_.find(pid);
  if (first == before_.end()) {
    return {};
  }
  const std::string threads =
      " (" + FormatCount(static_cast<int64_t>(done.size()), "thread") + ")";
  const std::string cores = FormatCpuList(task.cores);
  if (const std::string was = FormatCpuList(first->second.cpus); was != cores) {
    Tell(task, pid, "cores " + was + " -> " + cores + threads,
         fmt::format("taskset -a -c -p {} {}", cores, pid));
  }
  const SchedulingAttributes& was = first->second.attributes;
  const auto wanted = AttributesFor(task);
  if (wanted ? was != *wanted : !IsOrdinary(was)) {
    const SchedulingAttributes now = wanted.value_or(SchedulingAttributes{});
    Tell(task, pid,
         "policy " + DescribeAttributes(was) + " -> " +
             DescribeAttributes(now) + threads,
         ChrtCommand(now, pid));
  }
  return {};
}

Result<std::vector<std::string>> ProgramApplier::Apply(
    const PlannedTask& task, pid_t pid, std::vector<std::string>* notes) {
  std::vector<std::string> refused;
  // First of all: a cpuset changes the cores of threads too.
  if (auto noted = NoteThreads(pid); !noted) {
    return noted.error();
  }
  if (with_cpusets_ && task.executor != Executor::kDeadline) {
    const auto group = CpusetFor(task.cores, pid);
    const Result<void> entered = group ? Enter(*group, "cpuset", task, pid)
                                       : Result<void>(group.error());
    if (!entered) {
      notes->push_back("task " + task.name +
                       " gets no cpuset, so it may change its cores itself: " +
                       entered.error().message);
    }
  }
  if (task.quota_cores && task.executor == Executor::kOther) {
    const auto group = QuotaFor(*task.quota_cores, pid);
    const Result<void> entered =
        group ? Enter(*group, "cpu", task, pid) : Result<void>(group.error());
    if (!entered) {
      refused.push_back("task " + task.name +
                        " gets no quota: " + entered.error().message);
    }
  }
  if (auto set = SetThreads(task, pid, &refused); !set) {
    return set.error();
  }
  return refused;
}

}  // namespace edgewise
