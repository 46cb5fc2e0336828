#include "stats/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include "stats/autocorrelation.h"
#include "stats/rank_selector.h"
#include "stats/warmup.h"

namespace edgewise::stats {
namespace {

constexpr double kConfidence = 0.95;

struct Percentile {
  double p;
  std::optional<Estimate> SpanSummary::*field;
};
constexpr std::array<Percentile, 5> kPercentiles = {{
    {0.5, &SpanSummary::p50},
    {0.9, &SpanSummary::p90},
    {0.95, &SpanSummary::p95},
    {0.99, &SpanSummary::p99},
    {0.999, &SpanSummary::p999},
}};

void FillMoments(const Moments& moments, SpanSummary* summary) {
  summary->count = moments.count();
  summary->mean = moments.mean();
  summary->stddev = moments.stddev();
  summary->jitter = moments.jitter();
  summary->min = moments.min();
  summary->max = moments.max();
  summary->lag1 = moments.lag1();
}

void FillThroughput(const std::optional<TimeWindow>& window,
                    SpanSummary* summary) {
  if (!window || window->last_end_ns <= window->first_start_ns) return;
  const double seconds = (static_cast<double>(window->last_end_ns) -
                          static_cast<double>(window->first_start_ns)) *
                         1e-9;
  summary->throughput_per_s = static_cast<double>(summary->count) / seconds;
}

SpanSummary SummariseFinite(std::span<const double> samples,
                            const std::optional<TimeWindow>& window) {
  SpanSummary summary;
  FillMoments(MomentsOf(samples), &summary);
  FillThroughput(window, &summary);
  if (samples.empty()) return summary;
  const int64_t n = summary.count;
  summary.n_effective = EffectiveSampleSize(samples);
  summary.warmup_count = static_cast<int64_t>(WarmupCount(samples));
  RankSelector selector(samples);
  for (const Percentile& percentile : kPercentiles) {
    Estimate estimate;
    estimate.value = selector.At(PointRank(n, percentile.p));
    const QuantileRanks ranks =
        IntervalRanks(n, EffectiveSampleSizeAt(samples, estimate.value),
                      percentile.p, kConfidence);
    if (ranks.low) estimate.low = selector.At(*ranks.low);
    if (ranks.high) estimate.high = selector.At(*ranks.high);
    summary.*percentile.field = estimate;
  }
  return summary;
}

// A figure of the sketch moved outwards by its error, but not beyond what was
// seen.
double Widened(const Sketch& sketch, int64_t rank, double direction) {
  const double value = *sketch.AtRank(static_cast<uint64_t>(rank));
  return std::clamp(value + direction * kSketchError * std::abs(value),
                    *sketch.min(), *sketch.max());
}

}  // namespace

SpanSummary Summarise(std::span<const double> samples,
                      std::optional<TimeWindow> window) {
  const auto finite = [](double sample) { return std::isfinite(sample); };
  if (std::all_of(samples.begin(), samples.end(), finite)) {
    return SummariseFinite(samples, window);
  }
  std::vector<double> kept;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(kept),
               finite);
  SpanSummary summary = SummariseFinite(kept, window);
  summary.rejected = static_cast<int64_t>(samples.size() - kept.size());
  return summary;
}

SpanSummary Summarise(const Sketch& sketch, const Moments& moments,
                      std::optional<double> n_effective,
                      std::optional<TimeWindow> window) {
  SpanSummary summary;
  FillMoments(moments, &summary);
  FillThroughput(window, &summary);
  summary.rejected = static_cast<int64_t>(sketch.rejected());
  summary.used_sketch = true;
  const auto n = static_cast<int64_t>(sketch.count());
  if (n == 0) return summary;
  summary.n_effective = n_effective;
  for (const Percentile& percentile : kPercentiles) {
    Estimate estimate;
    estimate.value = *sketch.Quantile(percentile.p);
    if (n_effective) {
      const QuantileRanks ranks = IntervalRanks(n, std::max(*n_effective, 1.0),
                                                percentile.p, kConfidence);
      if (ranks.low) estimate.low = Widened(sketch, *ranks.low, -1);
      if (ranks.high) estimate.high = Widened(sketch, *ranks.high, 1);
    }
    summary.*percentile.field = estimate;
  }
  return summary;
}

}  // namespace edgewise::stats
