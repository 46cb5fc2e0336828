#include "experiments/disturbance.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace edgewise {
namespace {

std::string Percent(double percent) {
  return std::to_string(std::lround(percent)) + "%";
}

}  // namespace

Disturbance JudgeDisturbance(const Run& run, const RunAnalysis& analysis,
                             const DisturbanceLimits& limits) {
  Disturbance worst;
  const auto consider = [&worst](std::optional<double> percent, double limit,
                                 const std::string& before,
                                 const std::string& after) {
    if (!percent || limit <= 0) {
      return;
    }
    const double severity = *percent / limit;
    if (severity > worst.severity) {
      worst.severity = severity;
      worst.reason = severity > 1 ? before + Percent(*percent) + after : "";
    }
  };
  const auto others = std::find_if(
      analysis.series.begin(), analysis.series.end(),
      [](const SeriesAnalysis& s) { return s.name == "cpu_of_others"; });
  if (others != analysis.series.end()) {
    consider(others->mean, limits.others_percent, "other programs used ",
             " of a core");
  }
  const Totals& totals = run.totals;
  const auto share = [&totals](std::optional<double> seconds) {
    return seconds && totals.wall_s && *totals.wall_s > 0
               ? std::optional(100 * *seconds / *totals.wall_s)
               : std::nullopt;
  };
  consider(share(totals.steal_s), limits.steal_percent, "the hypervisor took ",
           " of a core");
  consider(share(totals.psi_memory_some_s), limits.pressure_percent,
           "programs waited for memory ", " of the time");
  consider(share(totals.psi_io_some_s), limits.pressure_percent,
           "programs waited for the disk ", " of the time");
  return worst;
}

}  // namespace edgewise
