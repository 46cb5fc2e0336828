#include "execution/apply_program.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <set>

#include "base/cgroups.h"
#include "base/text.h"
#include "base/units.h"
#include "execution/running_program.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kQuotaPeriodUs = 100'000;
// Threads may begin while others are changed.
constexpr int kMostPasses = 4;

// Where a process is in the hierarchy of a controller.
std::optional<fs::path> FolderOf(const CgroupLayout& layout,
                                 const std::string& controller) {
  if (const auto v1 = layout.v1.find(controller); v1 != layout.v1.end()) {
    return v1->second;
  }
  return layout.unified ? std::optional(layout.unified->own) : std::nullopt;
}

// The folder of the program's own cgroup with that controller: below where it
// is (v1), or beside it, because a v2 group has either processes or limits.
Result<fs::path> AppliedFolder(const CgroupLayout& layout,
                               const std::string& controller, pid_t pid) {
  const auto own = FolderOf(layout, controller);
  if (own && IsAppliedFolder(*own)) {
    return *own;
  }
  if (layout.v1.contains(controller)) {
    return *own / AppliedFolderName(pid);
  }
  if (own) {
    const fs::path parent =
        *own == layout.unified->mount ? *own : own->parent_path();
    const std::string text =
        TryReadFile(parent / "cgroup.subtree_control").value_or("");
    const auto controllers = SplitFields(text);
    if (std::ranges::count(controllers, controller) > 0) {
      return parent / AppliedFolderName(pid);
    }
  }
  return Error{ErrorCode::kUnsupported,
               "there is no cgroup with the " + controller + " controller"};
}

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
      attributes.deadline_ns = static_cast<uint64_t>(
          std::min(task.deadline_ns, task.period_ns));
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

Result<ProgramApplier::Group> ProgramApplier::CpusetFor(
    const PlannedTask& task, pid_t pid) const {
  const auto layout = FindCgroups("/", std::to_string(pid));
  if (!layout) {
    return layout.error();
  }
  auto folder = AppliedFolder(*layout, "cpuset", pid);
  if (!folder) {
    return folder.error();
  }
  Group group{*folder, {}};
  if (layout->v1.contains("cpuset")) {
    // A v1 cpuset without memory nodes takes no process.
    const auto mems =
        TryReadFile(folder->parent_path() / "cpuset.mems").value_or("0");
    group.settings.emplace_back("cpuset.mems", Trim(mems));
  }
  group.settings.emplace_back("cpuset.cpus", FormatCpuList(task.cores));
  return group;
}

Result<ProgramApplier::Group> ProgramApplier::QuotaFor(const PlannedTask& task,
                                                       pid_t pid) const {
  const auto layout = FindCgroups("/", std::to_string(pid));
  if (!layout) {
    return layout.error();
  }
  auto folder = AppliedFolder(*layout, "cpu", pid);
  if (!folder) {
    return folder.error();
  }
  const auto quota_us = static_cast<int64_t>(
      std::ceil(*task.quota_cores * static_cast<double>(kQuotaPeriodUs) -
                1e-6));
  if (layout->v1.contains("cpu")) {
    return Group{*folder,
                 {{"cpu.cfs_period_us", std::to_string(kQuotaPeriodUs)},
                  {"cpu.cfs_quota_us", std::to_string(quota_us)}}};
  }
  return Group{*folder,
               {{"cpu.max", fmt::format("{} {}", quota_us, kQuotaPeriodUs)}}};
}

Result<void> ProgramApplier::Enter(const Group& group,
                                   const std::string& controller,
                                   const PlannedTask& task, pid_t pid) {
  std::string what = controller == "cpu" ? "quota" : "cpuset";
  std::string command = "mkdir -p " + group.folder.string();
  for (const auto& [file, value] : group.settings) {
    what += fmt::format(" {}={}", file, value);
    command +=
        fmt::format("; echo {} > {}/{}", value, group.folder.string(), file);
  }
  command += fmt::format("; echo {} > {}/cgroup.procs", pid,
                         group.folder.string());
  if (journal_ == nullptr) {
    Tell(task, pid, what, command);
    return {};
  }
  if (auto noted = journal_->AddCgroup(group.folder); !noted) {
    return noted;
  }
  if (::mkdir(group.folder.c_str(), 0755) != 0 && errno != EEXIST) {
    return Error{ErrorCodeFromErrno(errno), "cannot make the cgroup " +
                                                group.folder.string() + ": " +
                                                ErrnoText()};
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
    const auto from = layout ? FolderOf(*layout, controller) : std::nullopt;
    if (!start || !from || *from == group.folder) {
      continue;
    }
    if (auto noted = journal_->Add(MemberBefore{process, *start, *from});
        !noted) {
      return noted;
    }
    if (auto moved = WriteFile(group.folder / "cgroup.procs",
                               std::to_string(process));
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
      const bool whole = task.executor != Executor::kDeadline ||
                         thread.thread == pid;
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
      if (auto noted = journal_->Add({thread.process, thread.thread,
                                      thread.start_ticks, *before});
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
    const auto group = CpusetFor(task, pid);
    const Result<void> entered =
        group ? Enter(*group, "cpuset", task, pid) : Result<void>(group.error());
    if (!entered) {
      notes->push_back("task " + task.name +
                       " gets no cpuset, so it may change its cores itself: " +
                       entered.error().message);
    }
  }
  if (task.quota_cores && task.executor == Executor::kOther) {
    const auto group = QuotaFor(task, pid);
    const Result<void> entered =
        group ? Enter(*group, "cpu", task, pid) : Result<void>(group.error());
    if (!entered) {
      refused.push_back("task " + task.name + " gets no quota: " +
                        entered.error().message);
    }
  }
  if (auto set = SetThreads(task, pid, &refused); !set) {
    return set.error();
  }
  return refused;
}

}  // namespace edgewise
