#include "probes/cpu_stat.h"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "base/clock.h"
#include "base/text.h"

namespace edgewise {
namespace {

std::optional<CpuTimes> ParseTimes(const std::vector<std::string_view>& fields,
                                   int64_t ticks_per_second) {
  CpuTimes times;
  int64_t* const kColumns[] = {
      &times.user_ns,   &times.nice_ns, &times.system_ns,  &times.idle_ns,
      &times.iowait_ns, &times.irq_ns,  &times.softirq_ns, &times.steal_ns};
  size_t column = 1;
  for (int64_t* const to : kColumns) {
    if (column >= fields.size()) {
      return std::nullopt;
    }
    const auto ticks = ParseInt(fields[column++]);
    if (!ticks || *ticks < 0) {
      return std::nullopt;
    }
    *to = TicksToNs(*ticks, ticks_per_second);
  }
  return times;
}

}  // namespace

int64_t TicksPerSecond() {
  static const int64_t ticks = std::max<int64_t>(1, sysconf(_SC_CLK_TCK));
  return ticks;
}

int64_t TicksToNs(int64_t ticks, int64_t ticks_per_second) {
  const int64_t ns_per_tick =
      kNsPerSecond / std::max<int64_t>(1, ticks_per_second);
  // Kept far below the limit so that sums of several do not overflow either.
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 1024;
  return ticks > kMost / std::max<int64_t>(1, ns_per_tick)
             ? kMost
             : ticks * ns_per_tick;
}

std::optional<CpuStat> ParseCpuStat(std::string_view text,
                                    int64_t ticks_per_second) {
  CpuStat stat;
  bool has_total = false;
  while (text.starts_with("cpu")) {  // they come first; interrupts follow
    const size_t end = std::min(text.find('\n'), text.size());
    const auto fields = SplitFields(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto times = ParseTimes(fields, ticks_per_second);
    if (!times) {
      return std::nullopt;
    }
    if (fields.front() == "cpu") {
      stat.total = *times;
      has_total = true;
    } else {
      stat.cores.push_back(*times);
    }
  }
  return has_total ? std::optional(std::move(stat)) : std::nullopt;
}

CpuStatProbe::CpuStatProbe(const std::filesystem::path& proc_root)
    : file_(proc_root / "stat") {}

std::optional<CpuStat> CpuStatProbe::Read() {
  const auto text = file_.Read(&buffer_);
  return text ? ParseCpuStat(*text, TicksPerSecond()) : std::nullopt;
}

int64_t CpuOfOthersNs(const CpuTimes& before, const CpuTimes& after,
                      int64_t own_cpu_ns) {
  return std::max<int64_t>(0, after.busy_ns() - before.busy_ns() - own_cpu_ns);
}

}  // namespace edgewise
