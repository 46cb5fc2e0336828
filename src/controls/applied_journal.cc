#include "controls/applied_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>

#include "base/text.h"
#include "base/units.h"
#include "controls/journal.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeading = "edgewise applied 1";
constexpr std::string_view kFolderPrefixes[] = {"edgewise-applied-",
                                                "edgewise-agent-"};
constexpr std::string_view kFileNames[] = {"applied", "controlled"};
constexpr std::string_view kSettings[] = {
    "cpu.max",          "cpu.weight",
    "cpu.cfs_quota_us", "cpu.shares",
    "cpuset.cpus",      "cpu.cfs_period_us",
    "memory.high",      "memory.soft_limit_in_bytes"};
constexpr size_t kThreadFields = 11;

std::optional<pid_t> ParsePid(std::string_view text) {
  const auto pid = ParseInt(text);
  return pid && *pid > 0 && *pid <= std::numeric_limits<pid_t>::max()
             ? std::optional(static_cast<pid_t>(*pid))
             : std::nullopt;
}

bool IsFolder(const fs::path& folder) {
  return folder.is_absolute() && folder.lexically_normal() == folder &&
         folder.native().find('\n') == std::string::npos;
}

// PROCESS THREAD START POLICY FLAGS NICE PRIORITY RUNTIME DEADLINE PERIOD CPUS
std::optional<ThreadBefore> ParseThread(std::string_view text) {
  const auto fields = SplitFields(text);
  if (fields.size() != kThreadFields) {
    return std::nullopt;
  }
  const auto process = ParsePid(fields[0]);
  const auto thread = ParsePid(fields[1]);
  const auto nice = ParseInt(fields[5]);
  auto cpus = ParseCpuList(fields[10]);
  std::vector<uint64_t> numbers;
  for (const size_t i : {2, 3, 4, 6, 7, 8, 9}) {
    const auto number = ParseUint(fields[i]);
    if (!number) {
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  if (!process || !thread || !nice || *nice < -20 || *nice > 19 || !cpus ||
      numbers[1] > 100 || numbers[3] > 99) {
    return std::nullopt;
  }
  ThreadBefore before{*process, *thread, numbers[0], {std::move(*cpus), {}}};
  SchedulingAttributes& attributes = before.state.attributes;
  attributes.policy = static_cast<uint32_t>(numbers[1]);
  attributes.flags = numbers[2];
  attributes.nice = static_cast<int32_t>(*nice);
  attributes.priority = static_cast<uint32_t>(numbers[3]);
  attributes.runtime_ns = numbers[4];
  attributes.deadline_ns = numbers[5];
  attributes.period_ns = numbers[6];
  return before;
}

std::string Line(const ThreadBefore& before) {
  const SchedulingAttributes& a = before.state.attributes;
  std::string line = "thread";
  for (const std::string& field :
       {std::to_string(before.process), std::to_string(before.thread),
        std::to_string(before.start_ticks), std::to_string(a.policy),
        std::to_string(a.flags), std::to_string(a.nice),
        std::to_string(a.priority), std::to_string(a.runtime_ns),
        std::to_string(a.deadline_ns), std::to_string(a.period_ns),
        FormatCpuList(before.state.cpus)}) {
    line += " " + field;
  }
  return line + "\n";
}

// PROCESS START FOLDER; a folder may have blanks.
std::optional<MemberBefore> ParseMember(std::string_view text) {
  const auto fields = SplitFields(text);
  if (fields.size() < 3) {
    return std::nullopt;
  }
  const auto process = ParsePid(fields[0]);
  const auto start = ParseUint(fields[1]);
  const fs::path folder(
      text.substr(static_cast<size_t>(fields[2].data() - text.data())));
  if (!process || !start || !IsFolder(folder)) {
    return std::nullopt;
  }
  return MemberBefore{*process, *start, folder};
}

std::string Line(const MemberBefore& before) {
  return "member " + std::to_string(before.process) + " " +
         std::to_string(before.start_ticks) + " " + before.folder.string() +
         "\n";
}

// FILE=VALUE; neither a value nor the name of such a file has an '='.
std::optional<SettingBefore> ParseSetting(std::string_view text) {
  const size_t sign = text.rfind('=');
  if (sign == std::string_view::npos) {
    return std::nullopt;
  }
  SettingBefore before{fs::path(text.substr(0, sign)),
                       std::string(text.substr(sign + 1))};
  return IsRestorableSetting(before.file) ? std::optional(before)
                                          : std::nullopt;
}

std::string Line(const SettingBefore& before) {
  return "setting " + before.file.string() + "=" + before.value + "\n";
}

std::string Line(const fs::path& folder) {
  return "cgroup " + folder.string() + "\n";
}

Error Failed(const std::string& what, const fs::path& path, int error) {
  return Error{ErrorCodeFromErrno(error),
               what + " " + path.string() + ": " + ErrnoText(error)};
}

}  // namespace

std::string AppliedFolderName(pid_t process, AppliedBy by) {
  return std::string(kFolderPrefixes[static_cast<size_t>(by)]) +
         std::to_string(process);
}

bool IsRestorableSetting(const fs::path& file) {
  return IsFolder(file) &&
         std::ranges::count(kSettings, file.filename().string()) > 0;
}

bool IsAppliedFolder(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return IsFolder(folder) &&
         std::ranges::any_of(kFolderPrefixes, [&](std::string_view prefix) {
           return name.starts_with(prefix) &&
                  ParsePid(std::string_view(name).substr(prefix.size()));
         });
}

Result<AppliedRecord> ParseApplied(std::string_view text) {
  const auto corrupt = [](const std::string& what) {
    return Error{ErrorCode::kCorrupt,
                 "the journal of what was applied is damaged: " + what};
  };
  const size_t end = text.rfind('\n');
  text = text.substr(0, end == std::string_view::npos ? 0 : end);
  const auto lines = Split(text, '\n');
  if (lines.front() != kHeading) {
    return corrupt("it does not start with \"" + std::string(kHeading) + "\"");
  }
  AppliedRecord record;
  for (size_t i = 1; i < lines.size(); ++i) {
    const size_t blank = std::min(lines[i].find(' '), lines[i].size());
    const std::string_view key = lines[i].substr(0, blank);
    const std::string_view value =
        lines[i].substr(std::min(blank + 1, lines[i].size()));
    if (key == "boot") {
      record.boot_id = value;
    } else if (key == "namespace") {
      record.pid_namespace = value;
    } else if (auto thread = ParseThread(value); key == "thread" && thread) {
      record.threads.push_back(std::move(*thread));
    } else if (auto member = ParseMember(value); key == "member" && member) {
      record.members.push_back(std::move(*member));
    } else if (auto setting = ParseSetting(value);
               key == "setting" && setting) {
      record.settings.push_back(std::move(*setting));
    } else if (key == "cgroup" && IsAppliedFolder(value)) {
      record.cgroups.emplace_back(value);
    } else {
      return corrupt("line " + std::to_string(i + 1) + " makes no sense");
    }
  }
  return record;
}

std::string FormatApplied(const AppliedRecord& record) {
  std::string text(kHeading);
  text += "\nboot " + record.boot_id;
  text += "\nnamespace " + record.pid_namespace + "\n";
  for (const auto& thread : record.threads) {
    text += Line(thread);
  }
  for (const auto& member : record.members) {
    text += Line(member);
  }
  for (const auto& folder : record.cgroups) {
    text += Line(folder);
  }
  for (const auto& setting : record.settings) {
    text += Line(setting);
  }
  return text;
}

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
  return Append(Line(thread));
}

Result<void> AppliedJournal::Add(const MemberBefore& member) {
  // Where it is now is what an earlier apply has made.
  if (IsAppliedFolder(member.folder)) {
    return {};
  }
  record_.members.push_back(member);
  return Append(Line(member));
}

Result<void> AppliedJournal::AddCgroup(const fs::path& folder) {
  if (std::ranges::count(record_.cgroups, folder) > 0) {
    return {};
  }
  record_.cgroups.push_back(folder);
  return Append(Line(folder));
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
  return Append(Line(setting));
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
