#include "execution/undo_applied.h"

#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/text.h"
#include "base/units.h"
#include "controls/applied_journal.h"
#include "execution/active_plan.h"
#include "execution/running_program.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr long kCgroup1Magic = 0x27e0eb;
constexpr long kCgroup2Magic = 0x63677270;

// Nothing else is ever written to.
bool IsCgroup(const fs::path& folder) {
  struct statfs system {};
  return ::statfs(folder.c_str(), &system) == 0 &&
         (system.f_type == kCgroup1Magic || system.f_type == kCgroup2Magic);
}

class Undo {
 public:
  explicit Undo(const AppliedRecord& record) : record_(record) {}

  UndoReport Run() {
    for (auto setting = record_.settings.rbegin();
         setting != record_.settings.rend(); ++setting) {
      PutBack(*setting);
    }
    // A cgroup's cores would overwrite those of threads: it comes first.
    for (const MemberBefore& member : record_.members) {
      MoveBack(member);
    }
    for (const ThreadBefore& before : record_.threads) {
      if (StartTicks(before.thread) == before.start_ticks) {
        PutBack(before.thread, before);
      }
    }
    for (const ThreadBefore& before : record_.threads) {
      if (before.process == before.thread &&
          StartTicks(before.thread) == before.start_ticks) {
        PutLaterThreadsBack(before);
      }
    }
    for (auto folder = record_.cgroups.rbegin();
         folder != record_.cgroups.rend(); ++folder) {
      Remove(*folder);
    }
    return std::move(report_);
  }

 private:
  // What was noted and then refused (cgroups that may only be read) is as it
  // was, and no problem.
  void Remove(const fs::path& folder) {
    if (::rmdir(folder.c_str()) == 0) {
      report_.changes.push_back("removed " + folder.string());
    } else if (const int error = errno; fs::exists(folder)) {
      report_.problems.push_back("cannot remove " + folder.string() + ": " +
                                 ErrnoText(error));
    }
  }

  void PutBack(const SettingBefore& before) {
    // One that is gone has taken its limit with it.
    if (!IsRestorableSetting(before.file) ||
        !IsCgroup(before.file.parent_path()) ||
        Trim(TryReadFile(before.file).value_or("")) == before.value) {
      return;
    }
    if (const Result<void> put = WriteFile(before.file, before.value); put) {
      report_.changes.push_back(before.file.string() + " is " + before.value +
                                " again");
    } else if (fs::exists(before.file)) {
      report_.problems.push_back(put.error().message);
    }
  }

  void MoveBack(const MemberBefore& member) {
    if (StartTicks(member.process) != member.start_ticks ||
        !IsCgroup(member.folder)) {
      return;
    }
    std::set<pid_t> processes;
    for (const ProgramThread& thread : ThreadsOf(member.process)) {
      processes.insert(thread.process);
    }
    for (const pid_t process : processes) {
      const bool own =
          std::ranges::any_of(record_.members, [&](const MemberBefore& each) {
            return each.process == process && each.process != member.process;
          });
      if (own) {
        continue;  // has a line of its own
      }
      const Result<void> moved =
          WriteFile(member.folder / "cgroup.procs", std::to_string(process));
      if (moved) {
        report_.changes.push_back("process " + std::to_string(process) +
                                  " is back in " + member.folder.string());
      } else if (StartTicks(process)) {
        report_.problems.push_back(moved.error().message);
      }
    }
  }

  void PutBack(pid_t thread, const ThreadBefore& before) {
    const auto now = ReadThreadState(thread);
    if (!now || *now == before.state) {
      return;
    }
    if (const int error = SetThreadState(thread, before.state)) {
      if (error != ESRCH) {
        report_.problems.push_back("thread " + std::to_string(thread) + ": " +
                                   ErrnoText(error));
      }
      return;
    }
    report_.changes.push_back("thread " + std::to_string(thread) +
                              " is back on cores " +
                              FormatCpuList(before.state.cpus) + " under " +
                              DescribeAttributes(before.state.attributes));
  }

  void PutLaterThreadsBack(const ThreadBefore& first) {
    for (const ProgramThread& thread : ThreadsOf(first.process)) {
      const bool known =
          std::ranges::any_of(record_.threads, [&](const ThreadBefore& each) {
            return each.thread == thread.thread &&
                   each.start_ticks == thread.start_ticks;
          });
      if (!known) {
        PutBack(thread.thread, first);
      }
    }
  }

  const AppliedRecord& record_;
  UndoReport report_;
};

}  // namespace

UndoReport UndoRecord(const AppliedRecord& record) {
  return Undo(record).Run();
}

Result<UndoReport> UndoApplied(const fs::path& home, AppliedBy by) {
  if (!fs::exists(AppliedJournal::PathIn(home, by))) {
    return Error{ErrorCode::kNotFound,
                 by == AppliedBy::kApply
                     ? "no plan is applied: there is nothing to undo"
                     : "no app is controlled: there is nothing to undo"};
  }
  auto journal = AppliedJournal::Open(home, by);
  if (!journal) {
    return journal.error();
  }
  UndoReport report = UndoRecord(journal->record());
  if (report.problems.empty()) {
    journal->Remove();
    if (by == AppliedBy::kApply) {
      RemoveActivePlans(home);
    }
  }
  return report;
}

}  // namespace edgewise
