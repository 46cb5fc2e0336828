#include "orchestration/promise_seen.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/autocorrelation.h"
#include "stats/quantile.h"

namespace edgewise::orchestration {
namespace {

constexpr double kConfidence = 0.95;

// How many independent requests these are worth.
double EffectiveRequests(std::vector<double> times, double threshold) {
  double longest = 0;
  for (const double time : times) {
    longest = std::isfinite(time) ? std::max(longest, time) : longest;
  }
  for (double& time : times) {
    time = std::isfinite(time) ? time : longest;
  }
  return std::clamp(std::min(stats::EffectiveSampleSize(times),
                             stats::EffectiveSampleSizeAt(times, threshold)),
                    1.0, static_cast<double>(times.size()));
}

std::optional<double> Finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kKept:
      return "kept";
    case Verdict::kBroken:
      return "broken";
    case Verdict::kUnknown:
      return "insufficient samples";
  }
  return "";
}

PromiseSeen SeePromise(const Sla& sla, const std::vector<double>& response_ns) {
  PromiseSeen seen;
  seen.requests = static_cast<int64_t>(response_ns.size());
  const auto delay_ns = static_cast<double>(sla.delay_ns);
  seen.late =
      std::count_if(response_ns.begin(), response_ns.end(),
                    [delay_ns](double time) { return time > delay_ns; });
  if (seen.requests <
      stats::SmallestSampleForUpperBound(sla.quantile, kConfidence)) {
    return seen;
  }
  std::vector<double> sorted = response_ns;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&sorted](int64_t rank) {
    return sorted[static_cast<size_t>(rank - 1)];
  };
  const double value = at(stats::PointRank(seen.requests, sla.quantile));
  const auto ranks =
      stats::IntervalRanks(seen.requests, EffectiveRequests(response_ns, value),
                           sla.quantile, kConfidence);
  seen.quantile_ns = Finite(value);
  seen.low_ns = ranks.low ? Finite(at(*ranks.low)) : std::nullopt;
  seen.high_ns = ranks.high ? Finite(at(*ranks.high)) : std::nullopt;
  seen.verdict = value <= delay_ns ? Verdict::kKept : Verdict::kBroken;
  const bool surely_kept = ranks.high && at(*ranks.high) <= delay_ns;
  const bool surely_broken = ranks.low && at(*ranks.low) > delay_ns;
  seen.close = !surely_kept && !surely_broken;
  return seen;
}

std::optional<double> BrokenPart(const std::vector<PromiseSeen>& promises) {
  int64_t known = 0;
  int64_t broken = 0;
  for (const PromiseSeen& seen : promises) {
    known += seen.verdict != Verdict::kUnknown ? 1 : 0;
    broken += seen.verdict == Verdict::kBroken ? 1 : 0;
  }
  return known > 0 ? std::optional(static_cast<double>(broken) /
                                   static_cast<double>(known))
                   : std::nullopt;
}

}  // namespace edgewise::orchestration
