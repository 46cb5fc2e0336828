#include "control/actuator.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>

#include "base/text.h"
#include "control/make_limit_group.h"
#include "controls/thread_state.h"
#include "execution/running_program.h"
#include "execution/undo_applied.h"

namespace edgewise::control {
namespace {

namespace fs = std::filesystem;

std::vector<pid_t> ProcessesOf(pid_t pid) {
  std::set<pid_t> processes;
  for (const ProgramThread& thread : ThreadsOf(pid)) {
    processes.insert(thread.process);
  }
  return {processes.begin(), processes.end()};
}

// As opposed to a group that is gone, or a value that the kernel does not take.
bool MayWrite(const Result<void>& outcome) {
  return outcome.ok() || outcome.error().code != ErrorCode::kPermission;
}

}  // namespace

struct Actuator::App {
  ControlledProcess process;
  AppSetting applied;
  AppliedRecord record;                      // what of the journal is about it
  std::map<std::string, LimitGroup> groups;  // by controller
  std::map<fs::path, std::string> written;
  std::set<std::string> told;  // refusals
  bool without_cpu_group = false;
  bool is_nice = false;
};

Actuator::Actuator(AppliedJournal journal) : journal_(std::move(journal)) {}

Actuator::~Actuator() {
  if (ReleaseAll().empty()) {
    journal_.Remove();
  }
}

Result<std::unique_ptr<Actuator>> Actuator::Start(const fs::path& home) {
  if (fs::exists(AppliedJournal::PathIn(home, AppliedBy::kAgent))) {
    const auto undone = UndoApplied(home, AppliedBy::kAgent);
    if (!undone) {
      return undone.error();
    }
  }
  auto journal = AppliedJournal::Open(home, AppliedBy::kAgent);
  if (!journal) {
    return journal.error();
  }
  return std::unique_ptr<Actuator>(new Actuator(std::move(*journal)));
}

Result<void> Actuator::Enter(App& app, const std::string& controller,
                             const LimitGroup& group) {
  if (auto noted = journal_.AddCgroup(group.folder); !noted) {
    return noted;
  }
  app.record.cgroups.push_back(group.folder);
  if (auto made = MakeLimitGroup(group, controller); !made) {
    return made;
  }
  for (const pid_t process : ProcessesOf(app.process.pid)) {
    const auto layout = FindCgroups("/", std::to_string(process));
    const auto start = StartTicks(process);
    if (!layout || !start) {
      continue;
    }
    const auto v1 = layout->v1.find(controller);
    const fs::path from =
        group.v1 && v1 != layout->v1.end() ? v1->second : layout->unified->own;
    if (from == group.folder) {
      continue;
    }
    const MemberBefore member{process, *start, from};
    if (auto noted = journal_.Add(member); !noted) {
      return noted;
    }
    app.record.members.push_back(member);
    if (auto moved =
            WriteFile(group.folder / "cgroup.procs", std::to_string(process));
        !moved && StartTicks(process)) {
      return moved;
    }
  }
  return {};
}

Result<void> Actuator::Write(App& app, const LimitGroup& group,
                             const GroupValues& values) {
  for (const auto& [name, value] : values) {
    const fs::path file = group.folder / name;
    // What is made goes with its values; else they are put back.
    if (!group.to_make && !app.written.contains(file)) {
      const auto before = ReadFile(file);
      if (!before) {
        return before.error();
      }
      const SettingBefore setting{file, std::string(Trim(*before))};
      if (auto noted = journal_.Add(setting); !noted) {
        return noted;
      }
      app.record.settings.push_back(setting);
    }
    if (auto written = WriteFile(file, value); !written) {
      return written;
    }
    app.written[file] = value;
  }
  return {};
}

void Actuator::PutBack(App& app, const fs::path& file) {
  const auto before = std::ranges::find_if(
      app.record.settings, [&](const auto& each) { return each.file == file; });
  if (before != app.record.settings.end()) {
    (void)WriteFile(file, before->value).ok();
    app.written.erase(file);
  }
}

Result<void> Actuator::FindGroup(App& app, const std::string& controller) {
  if (app.groups.contains(controller)) {
    return {};
  }
  const auto group =
      FindLimitGroup(controller, {app.process.pid, app.process.in_container,
                                  ProcessesOf(app.process.pid)});
  if (!group) {
    return group.error();
  }
  if (group->to_make) {
    if (auto entered = Enter(app, controller, *group); !entered) {
      return entered;
    }
  }
  app.groups.emplace(controller, *group);
  return {};
}

Result<void> Actuator::SetCpu(App& app, const AppSetting& setting) {
  const bool known = app.groups.contains("cpu");
  if (auto found = FindGroup(app, "cpu"); !found) {
    return found;
  }
  const LimitGroup& group = app.groups.at("cpu");
  GroupValues values = CpuValues(setting, group.v1);
  // Between two quotas of one period there is no need to be unlimited.
  if (known && group.v1 && setting.quota_cores && app.applied.quota_cores &&
      setting.quota_period_us == app.applied.quota_period_us) {
    values = {values.front(), values.back()};
  }
  return Write(app, group, values);
}

Result<void> Actuator::SetCpus(App& app, const std::vector<int>& cpus) {
  if (auto found = FindGroup(app, "cpuset"); !found) {
    return found;
  }
  return Write(app, app.groups.at("cpuset"), CpusetValues(cpus));
}

Result<void> Actuator::SetMemory(App& app, std::optional<int64_t> bytes) {
  const auto group =
      FindLimitGroup("memory", {app.process.pid, app.process.in_container,
                                ProcessesOf(app.process.pid)});
  if (!group) {
    return group.error();
  }
  if (group->to_make) {
    return Error{ErrorCode::kUnsupported,
                 "it has no memory cgroup of its own, and what it holds could "
                 "not be moved to one"};
  }
  if (!bytes) {
    PutBack(app, group->folder / MemoryValues(0, group->v1).front().first);
    return {};
  }
  return Write(app, *group, MemoryValues(*bytes, group->v1));
}

Result<void> Actuator::SetNice(App& app, int nice) {
  for (const ProgramThread& thread : ThreadsOf(app.process.pid)) {
    const auto state = ReadThreadState(thread.thread);
    if (!state || state->attributes.policy != SCHED_OTHER) {
      continue;
    }
    const ThreadBefore before{thread.process, thread.thread, thread.start_ticks,
                              *state};
    if (auto noted = journal_.Add(before); !noted) {
      return noted;
    }
    if (std::ranges::none_of(app.record.threads, [&](const auto& each) {
          return each.thread == thread.thread;
        })) {
      app.record.threads.push_back(before);
    }
    SchedulingAttributes attributes = state->attributes;
    attributes.nice = nice;
    if (const int error = SetAttributes(thread.thread, attributes);
        error != 0 && error != ESRCH) {
      return Error{ErrorCodeFromErrno(error),
                   "its nice value cannot be set: " + ErrnoText(error)};
    }
  }
  app.is_nice = true;
  return {};
}

std::vector<std::string> Actuator::Apply(const ControlledProcess& process,
                                         const AppSetting& setting) {
  auto& slot = apps_[process.app_id];
  if (slot && slot->process.pid != process.pid) {
    Release(process.app_id);  // it is another process now
    return Apply(process, setting);
  }
  if (!slot) {
    slot = std::make_unique<App>();
    slot->process = process;
  }
  App& app = *slot;
  std::vector<std::string> refused;
  const auto tell = [&](const Result<void>& outcome) {
    if (!outcome && app.told.insert(outcome.error().message).second) {
      refused.push_back(outcome.error().message);
    }
  };
  const bool cpu_changes = setting.quota_cores != app.applied.quota_cores ||
                           setting.shares != app.applied.shares;
  if (cpu_changes && !app.without_cpu_group) {
    const Result<void> done = SetCpu(app, setting);
    app.without_cpu_group =
        !done && (!app.groups.contains("cpu") || !MayWrite(done));
    tell(done);
  }
  if (app.without_cpu_group && (setting.nice || app.is_nice) &&
      setting.nice != app.applied.nice) {
    tell(SetNice(app, setting.nice.value_or(0)));
  }
  if (setting.cpus != app.applied.cpus && !setting.cpus.empty()) {
    tell(SetCpus(app, setting.cpus));
  }
  if (setting.memory_bytes != app.applied.memory_bytes) {
    tell(SetMemory(app, setting.memory_bytes));
  }
  app.applied = setting;
  return refused;
}

void Actuator::Release(uint64_t app_id) {
  const auto found = apps_.find(app_id);
  if (found == apps_.end()) {
    return;
  }
  const AppliedRecord record = std::move(found->second->record);
  apps_.erase(found);
  if (!UndoRecord(record).problems.empty()) {
    return;  // the journal keeps it: the end tries again
  }
  AppliedRecord rest = journal_.record();
  const auto drop = [](auto& from, const auto& what) {
    std::erase_if(from, [&](const auto& each) {
      return std::ranges::count(what, each) > 0;
    });
  };
  drop(rest.threads, record.threads);
  drop(rest.members, record.members);
  drop(rest.cgroups, record.cgroups);
  drop(rest.settings, record.settings);
  (void)journal_.Replace(std::move(rest)).ok();
}

std::vector<std::string> Actuator::ReleaseAll() {
  while (!apps_.empty()) {
    Release(apps_.begin()->first);
  }
  return UndoRecord(journal_.record()).problems;
}

}  // namespace edgewise::control
