#include "controls/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <limits>
#include <optional>

#include "base/text.h"
#include "base/unique_fd.h"
#include "controls/netem_queue.h"
#include "controls/network_namespace.h"
#include "controls/process_tree.h"
#include "controls/restore.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeading = "edgewise journal 1";

std::optional<JournalOwner> ParseOwner(std::string_view text) {
  const auto fields = SplitFields(text);
  if (fields.size() != 2) {
    return std::nullopt;
  }
  const auto pid = ParseInt(fields[0]);
  const auto start = ParseUint(fields[1]);
  if (!pid || *pid <= 0 || *pid > std::numeric_limits<pid_t>::max() || !start) {
    return std::nullopt;
  }
  return JournalOwner{static_cast<pid_t>(*pid), *start};
}

bool IsFolderOf(const std::string& id, const fs::path& folder) {
  return folder.is_absolute() && folder.filename() == SessionFolderName(id) &&
         folder.lexically_normal() == folder;
}

bool MayBeRestored(const JournalRestore& restore) {
  const std::string& path = restore.path.native();
  return path.find('\0') == std::string::npos && IsRestorable(path.c_str()) &&
         restore.value >= 1 && restore.value <= kMaxRestoreValue;
}

// "PATH VALUE"; a path may have blanks.
std::optional<JournalRestore> ParseRestore(std::string_view text) {
  const size_t blank = text.rfind(' ');
  if (blank == std::string_view::npos) {
    return std::nullopt;
  }
  const auto value = ParseInt(text.substr(blank + 1));
  JournalRestore restore{text.substr(0, blank), value.value_or(0)};
  return MayBeRestored(restore) ? std::optional(restore) : std::nullopt;
}

std::string RestoreLine(const JournalRestore& restore) {
  return "restore " + restore.path.string() + " " +
         std::to_string(restore.value) + "\n";
}

bool MayBeRemoved(const JournalNetem& netem) {
  return IsNetworkNamespaceName(netem.network_namespace) &&
         netem.interface > 0 && netem.handle >= kLeastNetemHandle &&
         netem.handle <= kMostNetemHandle && !netem.name.empty() &&
         netem.name.find_first_of(" \t\n/") == std::string::npos;
}

// "NAMESPACE INTERFACE HANDLE NAME".
std::optional<JournalNetem> ParseNetem(std::string_view text) {
  const auto fields = SplitFields(text);
  if (fields.size() != 4) {
    return std::nullopt;
  }
  const auto number = [](std::string_view field) {
    const int64_t value = ParseInt(field).value_or(0);
    return value > 0 && value <= std::numeric_limits<int32_t>::max()
               ? static_cast<int32_t>(value)
               : 0;
  };
  JournalNetem netem{std::string(fields[0]), number(fields[1]),
                     number(fields[2]), std::string(fields[3])};
  return MayBeRemoved(netem) ? std::optional(netem) : std::nullopt;
}

std::string NetemLine(const JournalNetem& netem) {
  return "netem " + netem.network_namespace + " " +
         std::to_string(netem.interface) + " " + std::to_string(netem.handle) +
         " " + netem.name + "\n";
}

// Appends a line with one write.
Result<void> AddLine(const fs::path& path, const std::string& line) {
  const UniqueFd fd(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  errno = fd.valid() ? ENOSPC : errno;  // what a short write means
  if (!fd.valid() || write(fd.get(), line.data(), line.size()) !=
                         static_cast<ssize_t>(line.size())) {
    const int error = errno;
    return Error{ErrorCodeFromErrno(error),
                 "cannot write " + path.string() + ": " + ErrnoText(error)};
  }
  return {};
}

std::string OwnerText(const JournalOwner& owner) {
  return std::to_string(owner.pid) + " " + std::to_string(owner.start_ticks);
}

}  // namespace

std::string SessionFolderName(const std::string& id) {
  return "edgewise-" + id;
}

bool IsValidSessionId(std::string_view id) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !id.empty() && id.size() <= 64 && id.front() != '.' &&
         !id.ends_with(".tmp") &&
         id.find_first_not_of(kAllowed) == std::string_view::npos;
}

Result<JournalRecord> ParseJournal(std::string_view text) {
  const auto corrupt = [](std::string_view what) {
    return Error{ErrorCode::kCorrupt,
                 "the session journal is damaged: " + std::string(what)};
  };
  // A last line without its end was cut off while being written; what it
  // announced was not made yet.
  text = text.substr(
      0, text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n'));
  const auto lines = Split(text, '\n');
  if (lines.front() != kHeading) {
    return corrupt("it does not start with \"" + std::string(kHeading) + "\"");
  }
  JournalRecord record;
  for (size_t i = 1; i < lines.size(); ++i) {
    const size_t blank = lines[i].find(' ');
    const std::string_view key = lines[i].substr(0, blank);
    const std::string_view value =
        blank == std::string_view::npos ? "" : lines[i].substr(blank + 1);
    if (key == "id" && record.id.empty() && IsValidSessionId(value)) {
      record.id = value;
    } else if (key == "boot") {
      record.boot_id = value;
    } else if (key == "namespace") {
      record.pid_namespace = value;
    } else if (key == "session" && ParseOwner(value)) {
      record.session = *ParseOwner(value);
    } else if (key == "guardian" && ParseOwner(value)) {
      record.guardian = *ParseOwner(value);
    } else if (key == "scratch" && IsFolderOf(record.id, value)) {
      record.scratch = value;
    } else if (key == "cgroup" && IsFolderOf(record.id, value)) {
      record.cgroups.emplace_back(value);
    } else if (const auto restore = ParseRestore(value);
               key == "restore" && restore) {
      record.restores.push_back(*restore);
    } else if (const auto netem = ParseNetem(value); key == "netem" && netem) {
      record.netems.push_back(*netem);
    } else {
      return corrupt("line " + std::to_string(i + 1) + " makes no sense");
    }
  }
  if (record.id.empty() || record.session.pid == 0 ||
      record.guardian.pid == 0) {
    return corrupt("id, session or guardian is missing");
  }
  return record;
}

std::string FormatJournal(const JournalRecord& record) {
  std::string text(kHeading);
  text += "\nid " + record.id;
  text += "\nboot " + record.boot_id;
  text += "\nnamespace " + record.pid_namespace;
  text += "\nsession " + OwnerText(record.session);
  text += "\nguardian " + OwnerText(record.guardian);
  text += "\n";
  if (!record.scratch.empty()) {
    text += "scratch " + record.scratch.string() + "\n";
  }
  for (const fs::path& folder : record.cgroups) {
    text += "cgroup " + folder.string() + "\n";
  }
  for (const JournalRestore& restore : record.restores) {
    text += RestoreLine(restore);
  }
  for (const JournalNetem& netem : record.netems) {
    text += NetemLine(netem);
  }
  return text;
}

Result<void> CreateJournal(const fs::path& path, const JournalRecord& record) {
  const fs::path temporary = path.string() + ".tmp";
  if (auto written = WriteFile(temporary, FormatJournal(record)); !written) {
    unlink(temporary.c_str());
    return written;
  }
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    return Error{ErrorCodeFromErrno(error),
                 "cannot write " + path.string() + ": " + ErrnoText(error)};
  }
  return {};
}

Result<void> AddCgroupToJournal(const fs::path& path, const fs::path& folder) {
  return AddLine(path, "cgroup " + folder.string() + "\n");
}

Result<void> AddRestoreToJournal(const fs::path& path,
                                 const JournalRestore& restore) {
  if (!MayBeRestored(restore)) {
    return Error{ErrorCode::kInvalid,
                 restore.path.string() + " is no limit of a core's clock"};
  }
  return AddLine(path, RestoreLine(restore));
}

Result<void> AddNetemToJournal(const fs::path& path,
                               const JournalNetem& netem) {
  if (!MayBeRemoved(netem)) {
    return Error{ErrorCode::kInvalid,
                 netem.name + " cannot have a netem queue of a session"};
  }
  return AddLine(path, NetemLine(netem));
}

std::string CurrentBootId() {
  const auto text = TryReadFile("/proc/sys/kernel/random/boot_id");
  return text ? std::string(Trim(*text)) : std::string();
}

std::string CurrentPidNamespace() {
  std::error_code error;
  return fs::read_symlink("/proc/self/ns/pid", error).string();
}

bool IsAlive(const JournalOwner& owner) {
  ProcessEntry process;
  return ReadProcess(owner.pid, &process) && !process.dead &&
         process.start_ticks == owner.start_ticks;
}

}  // namespace edgewise
