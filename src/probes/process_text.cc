#include "probes/process_text.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"

namespace edgewise {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Cuts the next blank-separated field off the front of `text`; empty at the
// end. These files are read for every process ten times a second, so no
// vectors of fields are made.
std::string_view NextField(std::string_view* text) {
  const char* at = text->data();
  const char* const end = at + text->size();
  while (at != end && IsBlank(*at)) {
    ++at;
  }
  const char* const start = at;
  while (at != end && !IsBlank(*at)) {
    ++at;
  }
  *text = std::string_view(at, static_cast<size_t>(end - at));
  return std::string_view(start, static_cast<size_t>(at - start));
}

std::optional<int64_t> NextInt(std::string_view* text) {
  return ParseInt(NextField(text));
}

std::optional<pid_t> ToPid(std::optional<int64_t> number) {
  if (!number || *number < 0 || *number > std::numeric_limits<pid_t>::max()) {
    return std::nullopt;
  }
  return static_cast<pid_t>(*number);
}

std::optional<int64_t> KibToBytes(std::optional<int64_t> kib) {
  if (!kib || *kib < 0 || *kib > std::numeric_limits<int64_t>::max() / 1024) {
    return std::nullopt;
  }
  return *kib * 1024;
}

// The number that a value such as "3924 kB" starts with.
std::optional<int64_t> LeadingInt(std::string_view value) {
  return NextInt(&value);
}

}  // namespace

std::optional<ProcStat> ParseProcStat(std::string_view text) {
  // "PID (COMM) S PPID …": COMM may hold ") (", so its end is the last ')'.
  const size_t open = text.find('(');
  const size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos ||
      close < open) {
    return std::nullopt;
  }
  ProcStat stat;
  const auto pid = ToPid(ParseInt(Trim(text.substr(0, open))));
  stat.comm = text.substr(open + 1, close - open - 1);
  std::string_view rest = text.substr(close + 1);
  const std::string_view state = NextField(&rest);
  if (!pid || state.size() != 1) {
    return std::nullopt;
  }
  stat.pid = *pid;
  stat.state = state.front();
  // Fields 4 to 24 of proc(5), by their number there; the ones that are not
  // wanted are only stepped over (some do not fit 64 bits).
  constexpr int kFirst = 4;
  constexpr int kLast = 24;
  std::array<std::string_view, kLast + 1> fields{};
  for (int number = kFirst; number <= kLast; ++number) {
    fields[static_cast<size_t>(number)] = NextField(&rest);
  }
  const auto parent = ToPid(ParseInt(fields[4]));
  if (!parent) {
    return std::nullopt;
  }
  stat.parent_pid = *parent;
  const struct {
    size_t number;
    int64_t* to;
  } kWanted[] = {{10, &stat.minor_faults},
                 {11, &stat.children_minor_faults},
                 {12, &stat.major_faults},
                 {13, &stat.children_major_faults},
                 {14, &stat.user_ticks},
                 {15, &stat.system_ticks},
                 {16, &stat.children_user_ticks},
                 {17, &stat.children_system_ticks},
                 {20, &stat.threads},
                 {22, &stat.start_ticks},
                 {24, &stat.rss_pages}};
  for (const auto& [number, to] : kWanted) {
    const auto value = ParseInt(fields[number]);
    if (!value || *value < 0) {
      return std::nullopt;
    }
    *to = *value;
  }
  return stat;
}

std::optional<int64_t> ParseStatmRssPages(std::string_view text) {
  NextField(&text);
  const auto pages = NextInt(&text);
  return pages && *pages >= 0 ? pages : std::nullopt;
}

std::optional<SchedStat> ParseSchedStat(std::string_view text) {
  const auto cpu = NextInt(&text);
  const auto wait = NextInt(&text);
  if (!cpu || !wait || *cpu < 0 || *wait < 0) {
    return std::nullopt;
  }
  return SchedStat{*cpu, *wait};
}

TaskStatus ParseTaskStatus(std::string_view text) {
  TaskStatus status;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = line.substr(colon + 1);
    if (key == "Name") {
      status.name = Trim(value);
    } else if (key == "Cpus_allowed_list") {
      status.allowed_cpus = Trim(value);
    } else if (key == "VmHWM") {
      status.peak_bytes = KibToBytes(LeadingInt(value));
    } else if (key == "voluntary_ctxt_switches") {
      status.voluntary_switches = LeadingInt(value);
    } else if (key == "nonvoluntary_ctxt_switches") {
      status.involuntary_switches = LeadingInt(value);
    }
  }
  return status;
}

std::optional<ProcIo> ParseProcIo(std::string_view text) {
  const auto read = FindKeyedInt(text, "read_bytes");
  const auto write = FindKeyedInt(text, "write_bytes");
  if (!read || !write) {
    return std::nullopt;
  }
  return ProcIo{*read, *write};
}

std::optional<int64_t> ParsePssBytes(std::string_view text) {
  return KibToBytes(FindKeyedInt(text, "Pss"));
}

void AppendPids(std::string_view text, std::vector<pid_t>* pids) {
  while (!text.empty()) {
    const std::string_view field = NextField(&text);
    if (const auto pid = ToPid(ParseInt(field)); pid && *pid > 0) {
      pids->push_back(*pid);
    }
  }
}

}  // namespace edgewise
