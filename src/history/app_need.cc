#include "history/app_need.h"

#include <algorithm>

#include "base/units.h"

namespace edgewise {
namespace {

constexpr double kMiB = 1024.0 * 1024;

std::optional<double> AsDouble(std::optional<int64_t> value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<double> TargetOf(const std::optional<Bounds>& bounds) {
  return bounds ? std::optional(bounds->target) : std::nullopt;
}

}  // namespace

void AddGoal(const Card& card, AppNeed& need) {
  need.deadline_ms = card.deadline_ms ? card.deadline_ms : card.period_ms;
  if (card.isolated && card.contended && card.isolated->p95_ms &&
      card.contended->p95_ms && *card.isolated->p95_ms > 0) {
    need.contended_ratio = *card.contended->p95_ms / *card.isolated->p95_ms;
    need.contended_beside = card.contended->beside;
  }
  if (card.wcet_ms) {
    need.alone_ms = card.wcet_ms;
    need.alone_is = "wcet_ms";
  } else if (card.isolated && card.isolated->p95_ms) {
    need.alone_ms = card.isolated->p95_ms;
    need.alone_is = "p95";
  }
}

AppNeed NeedOfCard(const Card& card, const std::string& file) {
  AppNeed need;
  need.app = card.name;
  need.source = "card " + file;
  if (card.evidence) {
    for (const auto& [key, value] : card.evidence->machine) {
      if (key == "fingerprint") {
        need.fingerprint = value;
      }
    }
  }
  if (card.resources) {
    need.cpu_cores = card.resources->target.cpu_cores;
    need.memory_bytes = AsDouble(card.resources->target.memory_bytes);
  }
  if (!need.cpu_cores && card.cpu_share_percent) {
    need.cpu_cores = *card.cpu_share_percent / 100;
  }
  if (!need.memory_bytes && card.rss_mb) {
    need.memory_bytes = *card.rss_mb * kMiB;
  }
  // Cards of apps without a GPU leave these out.
  const bool no_gpu = !card.gpu_memory_mb && !card.gpu_bandwidth_gbs;
  need.gpu_memory_bytes = card.gpu_memory_mb
                              ? std::optional(*card.gpu_memory_mb * kMiB)
                          : no_gpu ? std::optional(0.0)
                                   : std::nullopt;
  need.gpu_bandwidth_gbs = card.gpu_bandwidth_gbs ? card.gpu_bandwidth_gbs
                           : no_gpu               ? std::optional(0.0)
                                                  : std::nullopt;
  AddGoal(card, need);
  return need;
}

Result<AppNeed> NeedOfHistory(const History& history,
                              const std::string& fingerprint) {
  if (history.lines.empty()) {
    return Error{ErrorCode::kInvalid,
                 "no Run of \"" + history.app +
                     "\" went well under conditions of its own: measure it "
                     "with edgewise run first"};
  }
  const auto same = std::find_if(
      history.lines.begin(), history.lines.end(), [&](const HistoryLine& line) {
        return line.machine.fingerprint == fingerprint;
      });
  const HistoryLine& line =
      same == history.lines.end() ? history.lines.front() : *same;
  const VersionProfile& version = line.versions.back();
  const ResourceAdvice& advice = line.resources;
  AppNeed need;
  need.app = history.app;
  need.source = FormatCount(advice.runs, "Run") +
                (version.version.empty() ? "" : " of " + version.version) +
                (line.target.empty() ? "" : ", target " + line.target) +
                " on " + line.machine.hostname;
  need.fingerprint = line.machine.fingerprint;
  need.cpu_cores = TargetOf(advice.cpu_cores);
  need.memory_bytes = TargetOf(advice.memory_bytes);
  const bool no_gpu =
      std::none_of(version.runs.begin(), version.runs.end(),
                   [](const Run& run) { return run.gpu.has_value(); });
  need.gpu_memory_bytes =
      no_gpu ? std::optional(0.0) : TargetOf(advice.gpu_memory_bytes);
  need.gpu_bandwidth_gbs = no_gpu || need.gpu_memory_bytes == 0.0
                               ? std::optional(0.0)
                               : TargetOf(advice.gpu_bandwidth_gbs);
  return need;
}

}  // namespace edgewise
