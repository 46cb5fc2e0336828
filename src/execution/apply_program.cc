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

namespace fs = std::filesystem;

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

Result<void> ProgramApplier::SetThreads(const PlannedTask& task, pid_t pid,
                                        std::vector<std::string>* refused) {
  const auto wanted = AttributesFor(task);
  std::set<pid_t> done;
  std::string from_cores;
  std::string from_class;
  int changed = 0;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    bool found = false;
    for (const ProgramThread& thread : ThreadsOf(pid)) {
      const auto before = ReadThreadState(thread.thread);
      if (!done.insert(thread.thread).second || !before) {
        continue;
      }
      found = true;
      ThreadState after{task.cores, before->attributes};
      std::sort(after.cpus.begin(), after.cpus.end());
      // SCHED_DEADLINE is for the thread that does the job, not for all.
      const bool whole =
          task.executor != Executor::kDeadline || thread.thread == pid;
      if (wanted && whole) {
        after.attributes = *wanted;
      } else if (!wanted && !IsOrdinary(before->attributes)) {
        after.attributes = SchedulingAttributes{};
      }
      if (after == *before) {
        continue;
      }
      if (thread.thread == pid || changed == 0) {
        from_cores = FormatCpuList(before->cpus);
        from_class = DescribeAttributes(before->attributes);
      }
      ++changed;
      if (journal_ == nullptr) {
        continue;
      }
      if (auto noted = journal_->Add(
              {thread.process, thread.thread, thread.start_ticks, *before});
          !noted) {
        return noted;
      }
      const int error = SetThreadState(thread.thread, after);
      if (error != 0 && error != ESRCH && refused->empty()) {
        refused->push_back(fmt::format(
            "task {} (pid {}): the kernel refused cores {} under {}: {}",
            task.name, pid, FormatCpuList(task.cores),
            DescribeAttributes(after.attributes), ErrnoText(error)));
      }
    }
    if (!found || journal_ == nullptr) {
      break;
    }
  }
  if (changed > 0 && refused->empty()) {
    const std::string to = FormatCpuList(task.cores);
    Tell(task, pid, "cores " + from_cores + " -> " + to,
         fmt::format("taskset -a -c -p {} {}", to, pid));
    const SchedulingAttributes to_class =
        wanted.value_or(SchedulingAttributes{});
    if (wanted || !from_class.starts_with("other")) {
      Tell(task, pid,
           "policy " + from_class + " -> " + DescribeAttributes(to_class) +
               " (" + FormatCount(changed, "thread") + ")",
           ChrtCommand(to_class, pid));
    }
  }
  return {};
}

Result<std::vector<std::string>> ProgramApplier::Apply(
    const PlannedTask& task, pid_t pid, std::vector<std::string>* notes) {
  std::vector<std::string> refused;
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
