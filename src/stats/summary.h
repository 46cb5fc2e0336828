// The figures of one span name: what a user sees, with what may be claimed.
//
// The room `stats` knows samples and probability. It must not know processes,
// files, clocks or how figures are shown. Every function is pure: the same
// input and seed give the same answer on every machine, up to the rounding of
// the mathematical library.
#ifndef EDGEWISE_STATS_SUMMARY_H_
#define EDGEWISE_STATS_SUMMARY_H_

#include <cstdint>
#include <optional>
#include <span>

#include "stats/moments.h"
#include "stats/quantile.h"
#include "stats/sketch.h"

namespace edgewise::stats {

// From the start of the first to the end of the last span.
struct TimeWindow {
  int64_t first_start_ns = 0;
  int64_t last_end_ns = 0;
};

// All figures in the unit of the samples, except throughput. What is unknown is
// nullopt.
struct SpanSummary {
  int64_t count = 0;
  // Samples that were not finite; no part of any figure.
  int64_t rejected = 0;
  std::optional<double> mean;
  std::optional<double> stddev;
  std::optional<double> jitter;
  std::optional<double> min;
  std::optional<double> max;
  // Each with a two-sided 95% interval; !sufficient() is "insufficient
  // samples".
  std::optional<Estimate> p50;
  std::optional<Estimate> p90;
  std::optional<Estimate> p95;
  std::optional<Estimate> p99;
  std::optional<Estimate> p999;
  // Independent samples that would estimate the mean equally well.
  std::optional<double> n_effective;
  // Autocorrelation at lag one.
  std::optional<double> lag1;
  // Leading samples that look like warm-up. They are part of all figures:
  // leave them out and summarise again to see the settled state.
  std::optional<int64_t> warmup_count;
  // count over the length of the window.
  std::optional<double> throughput_per_s;
  // Percentiles come from a sketch, within kSketchError; their intervals
  // include it.
  bool used_sketch = false;
};

// Exact, from all samples in the order of measurement. Each percentile's
// interval allows for the autocorrelation of the samples around that percentile
// (EffectiveSampleSizeAt). O(n).
SpanSummary Summarise(std::span<const double> samples,
                      std::optional<TimeWindow> window = std::nullopt);

// From what remains of an unbounded stream. Without n_effective percentiles
// have no intervals, because nothing is known of the samples' dependence.
SpanSummary Summarise(const Sketch& sketch, const Moments& moments,
                      std::optional<double> n_effective,
                      std::optional<TimeWindow> window = std::nullopt);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_SUMMARY_H_
