#include "experiments/item_times.h"

#include <numeric>

#include "store/samples.h"

namespace edgewise {

MonotonicWindow WindowOf(const Run& run) {
  return {run.started_monotonic_ns + run.conditions.warmup_ns.value_or(0),
          run.started_monotonic_ns +
              static_cast<int64_t>(run.totals.wall_s.value_or(0) * 1e9)};
}

Result<std::string> LongestSpan(const Store& store, const Run& run) {
  const auto all = store.SeriesOf(run.id);
  if (!all) {
    return all.error();
  }
  std::string longest;
  double most_ns = 0;
  for (const SeriesInfo& series : *all) {
    if (!HasSamples(series)) {
      continue;
    }
    const auto samples = LoadSamples(store, run, series);
    if (!samples) {
      return samples.error();
    }
    const double total_ns =
        std::accumulate(samples->wall_ns.begin(), samples->wall_ns.end(), 0.0);
    if (total_ns > most_ns) {
      most_ns = total_ns;
      longest = series.name;
    }
  }
  return longest;
}

Result<std::vector<double>> ItemTimes(const Store& store, const Run& run,
                                      const std::string& span,
                                      const MonotonicWindow& window) {
  std::vector<double> times_ns;
  if (span.empty()) {
    if (run.end_reason == EndReason::kExited && run.totals.wall_s) {
      times_ns.push_back(*run.totals.wall_s * 1e9);
    }
    return times_ns;
  }
  const auto all = store.SeriesOf(run.id);
  if (!all) {
    return all.error();
  }
  for (const SeriesInfo& series : *all) {
    if (series.name != span || !HasSamples(series)) {
      continue;
    }
    const auto samples = LoadSamples(store, run, series);
    if (!samples) {
      return samples.error();
    }
    for (size_t i = 0; i < samples->wall_ns.size(); ++i) {
      const int64_t begin_ns = run.started_monotonic_ns + samples->start_ns[i];
      const int64_t end_ns =
          begin_ns + static_cast<int64_t>(samples->wall_ns[i]);
      if (begin_ns >= window.begin_ns && end_ns <= window.end_ns) {
        times_ns.push_back(samples->wall_ns[i]);
      }
    }
  }
  return times_ns;
}

}  // namespace edgewise
