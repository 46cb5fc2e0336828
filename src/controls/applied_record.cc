// What journals of changed programs say: lines, both ways.
#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"
#include "base/units.h"
#include "controls/applied_journal.h"
#include "controls/applied_lines.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeading = "edgewise applied 1";
constexpr std::string_view kFolderPrefixes[] = {"edgewise-applied-",
                                                "edgewise-agent-"};
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

}  // namespace

std::string AppliedLine(const ThreadBefore& before) {
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

std::string AppliedLine(const MemberBefore& before) {
  return "member " + std::to_string(before.process) + " " +
         std::to_string(before.start_ticks) + " " + before.folder.string() +
         "\n";
}

std::string AppliedLine(const SettingBefore& before) {
  return "setting " + before.file.string() + "=" + before.value + "\n";
}

std::string AppliedLine(const fs::path& folder) {
  return "cgroup " + folder.string() + "\n";
}

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
    text += AppliedLine(thread);
  }
  for (const auto& member : record.members) {
    text += AppliedLine(member);
  }
  for (const auto& folder : record.cgroups) {
    text += AppliedLine(folder);
  }
  for (const auto& setting : record.settings) {
    text += AppliedLine(setting);
  }
  return text;
}

}  // namespace edgewise
