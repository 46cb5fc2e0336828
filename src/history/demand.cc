#include "history/demand.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/units.h"
#include "stats/autocorrelation.h"
#include "stats/quantile.h"
#include "store/totals.h"

namespace edgewise {
namespace {

// Room for what was not seen, as Kubernetes' own recommender leaves it.
constexpr double kHeadroom = 1.15;
constexpr double kHighShare = 0.95;
// An interval of a 95th percentile takes at least this many samples.
constexpr size_t kEnoughSamples = 72;
constexpr size_t kEnoughRuns = 5;

// Sampled use of cores, Run after Run.
Result<std::vector<double>> SampledCores(const Store& store,
                                         std::span<const Run> runs) {
  std::vector<double> cores;
  for (const Run& run : runs) {
    const auto series = store.SeriesOf(run.id);
    if (!series) {
      return series.error();
    }
    for (const SeriesInfo& info : *series) {
      if (info.kind != SeriesKind::kSystem || info.name != "cpu_percent") {
        continue;
      }
      const auto points = store.Points(info.id);
      if (!points) {
        return points.error();
      }
      for (const Point& point : *points) {
        if (std::isfinite(point.value)) {
          cores.push_back(point.value / 100);
        }
      }
    }
  }
  return cores;
}

std::optional<Bounds> CpuBounds(const std::vector<double>& sampled,
                                std::span<const Run> runs) {
  if (sampled.size() >= kEnoughSamples) {
    std::vector<double> sorted = sampled;
    std::sort(sorted.begin(), sorted.end());
    const double median = stats::EstimateQuantile(sorted, 0.5).value;
    const double p95 = stats::EstimateQuantile(sorted, kHighShare).value;
    const double effective = stats::EffectiveSampleSizeAt(sampled, p95);
    const stats::Estimate high =
        stats::EstimateQuantile(sorted, effective, kHighShare, 0.95);
    return Bounds{median, high.high.value_or(sorted.back()), sorted.back()};
  }
  std::vector<double> means;
  for (const Run& run : runs) {
    if (const auto cores = CpuCores(run)) {
      means.push_back(*cores);
    }
  }
  if (means.empty()) {
    return std::nullopt;
  }
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  return Bounds{*least, *most, *most * kHeadroom};
}

template <typename Read>
std::optional<Bounds> PeakBounds(std::span<const Run> runs, Read read) {
  std::optional<Bounds> bounds;
  for (const Run& run : runs) {
    if (const std::optional<double> peak = read(run)) {
      bounds = bounds ? Bounds{std::min(bounds->lower, *peak),
                               std::max(bounds->target, *peak), 0}
                      : Bounds{*peak, *peak, 0};
    }
  }
  if (bounds) {
    bounds->upper = bounds->target * kHeadroom;
  }
  return bounds;
}

}  // namespace

std::optional<double> PeakMemoryBytes(const Run& run) {
  const auto& bytes = run.totals.tree_peak_bytes ? run.totals.tree_peak_bytes
                                                 : run.totals.max_rss_bytes;
  return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

std::optional<double> CpuCores(const Run& run) {
  const auto cpu_s = CpuSeconds(run.totals);
  return cpu_s && run.totals.wall_s && *run.totals.wall_s > 0
             ? std::optional(*cpu_s / *run.totals.wall_s)
             : std::nullopt;
}

std::optional<double> PeakGpuMemoryBytes(const Run& run) {
  return run.gpu && run.gpu->memory_peak_bytes
             ? std::optional(static_cast<double>(*run.gpu->memory_peak_bytes))
             : std::nullopt;
}

Result<ResourceAdvice> AdviseResources(const Store& store,
                                       std::span<const Run> runs) {
  const auto sampled = SampledCores(store, runs);
  if (!sampled) {
    return sampled.error();
  }
  ResourceAdvice advice;
  advice.runs = std::ssize(runs);
  advice.cpu_cores = CpuBounds(*sampled, runs);
  advice.memory_bytes = PeakBounds(runs, PeakMemoryBytes);
  advice.gpu_memory_bytes = PeakBounds(runs, PeakGpuMemoryBytes);
  advice.gpu_bandwidth_gbs =
      PeakBounds(runs, [](const Run& run) -> std::optional<double> {
        return run.gpu && run.gpu->most_bytes_per_s
                   ? std::optional(*run.gpu->most_bytes_per_s / 1e9)
                   : std::nullopt;
      });
  if (runs.size() < kEnoughRuns) {
    advice.doubt = "this rests on " + FormatCount(advice.runs, "Run") +
                   ", and Runs vary: make five or more (--repeat 5)";
  } else if (sampled->size() < kEnoughSamples) {
    advice.doubt =
        "the Runs were too short to sample how CPU use varies within them: "
        "CPU is what whole Runs used";
  }
  return advice;
}

}  // namespace edgewise
