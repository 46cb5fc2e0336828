#include "controls/applied_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "controls/applied_lines.h"
#include "controls/journal.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFileNames[] = {"applied", "controlled"};

Error Failed(const std::string& what, const fs::path& path, int error) {
  return Error{ErrorCodeFromErrno(error),
               what + " " + path.string() + ": " + ErrnoText(error)};
}

}  // namespace

fs::path AppliedJournal::PathIn(const fs::path& home, AppliedBy by) {
  return home / kFileNames[static_cast<size_t>(by)];
}

Result<AppliedJournal> AppliedJournal::Open(const fs::path& home,
                                            AppliedBy by) {
  std::error_code error;
  fs::create_directories(home, error);
  const fs::path path = PathIn(home, by);
  UniqueFd fd(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) {
    return Failed("cannot open", path, errno);
  }
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorCode::kBusy,
                 by == AppliedBy::kApply
                     ? "another edgewise apply is at work: try again when it "
                       "has ended"
                     : "another edgewise agent controls apps with this --home: "
                       "end it, or give this one another"};
  }
  struct stat here {};
  struct stat there {};
  if (::fstat(fd.get(), &here) != 0 || ::stat(path.c_str(), &there) != 0 ||
      here.st_ino != there.st_ino) {
    return Error{ErrorCode::kBusy,
                 "another edgewise has just ended: try again"};
  }
  AppliedJournal journal(path, std::move(fd));
  auto text = ReadFile(path);
  if (!text) {
    return text.error();
  }
  // One that was cut off before its heading was whole announced nothing.
  if (text->find('\n') != std::string::npos) {
    auto record = ParseApplied(*text);
    if (!record) {
      return Error{record.error().code, record.error().message + "; look at " +
                                            path.string() + " and remove it"};
    }
    if (record->boot_id == CurrentBootId()) {
      if (record->pid_namespace != CurrentPidNamespace()) {
        return Error{ErrorCode::kUnsupported,
                     path.string() +
                         " was written in another container or pid "
                         "namespace: undo it there"};
      }
      // A line that was cut off is overwritten.
      const size_t whole = text->rfind('\n') + 1;
      if (::ftruncate(journal.fd_.get(), static_cast<off_t>(whole)) != 0) {
        return Failed("cannot write", path, errno);
      }
      journal.record_ = std::move(*record);
      return journal;
    }
  }
  journal.record_.boot_id = CurrentBootId();
  journal.record_.pid_namespace = CurrentPidNamespace();
  if (::ftruncate(journal.fd_.get(), 0) != 0) {
    return Failed("cannot write", path, errno);
  }
  if (const Result<void> begun = journal.Append(FormatApplied(journal.record_));
      !begun) {
    return begun.error();
  }
  return journal;
}

Result<void> AppliedJournal::Append(const std::string& line) {
  if (::lseek(fd_.get(), 0, SEEK_END) < 0 ||
      ::write(fd_.get(), line.data(), line.size()) !=
          static_cast<ssize_t>(line.size())) {
    return Failed("cannot write", path_, errno == 0 ? ENOSPC : errno);
  }
  return {};
}

Result<void> AppliedJournal::Add(const ThreadBefore& thread) {
  const auto same = [&](const ThreadBefore& each) {
    return each.thread == thread.thread &&
           each.start_ticks == thread.start_ticks;
  };
  if (std::ranges::any_of(record_.threads, same)) {
    return {};
  }
  record_.threads.push_back(thread);
  return Append(AppliedLine(thread));
}

Result<void> AppliedJournal::Add(const MemberBefore& member) {
  // Where it is now is what an earlier apply has made.
  if (IsAppliedFolder(member.folder)) {
    return {};
  }
  record_.members.push_back(member);
  return Append(AppliedLine(member));
}

Result<void> AppliedJournal::AddCgroup(const fs::path& folder) {
  if (std::ranges::count(record_.cgroups, folder) > 0) {
    return {};
  }
  record_.cgroups.push_back(folder);
  return Append(AppliedLine(folder));
}

Result<void> AppliedJournal::Add(const SettingBefore& setting) {
  if (!IsRestorableSetting(setting.file) ||
      setting.value.find_first_of("=\n") != std::string::npos) {
    return Error{ErrorCode::kInvalid, setting.file.string() +
                                          " cannot be put back, so it is not "
                                          "changed"};
  }
  const auto same = [&](const SettingBefore& each) {
    return each.file == setting.file;
  };
  if (std::ranges::any_of(record_.settings, same)) {
    return {};
  }
  record_.settings.push_back(setting);
  return Append(AppliedLine(setting));
}

Result<void> AppliedJournal::Replace(AppliedRecord record) {
  record.boot_id = record_.boot_id;
  record.pid_namespace = record_.pid_namespace;
  const fs::path next = path_.string() + ".tmp";
  UniqueFd fd(::open(
      next.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  const std::string text = FormatApplied(record);
  if (!fd.valid() || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 ||
      ::write(fd.get(), text.data(), text.size()) !=
          static_cast<ssize_t>(text.size()) ||
      ::rename(next.c_str(), path_.c_str()) != 0) {
    return Failed("cannot write", next, errno == 0 ? ENOSPC : errno);
  }
  fd_ = std::move(fd);
  record_ = std::move(record);
  return {};
}

void AppliedJournal::Remove() { ::unlink(path_.c_str()); }

}  // namespace edgewise
