#include "store/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/units.h"
#include "store/samples.h"
#include "store/totals.h"

namespace edgewise {
namespace {

// Below this share of stolen time figures are as good as on a quiet machine.
constexpr double kNotableStealShare = 0.01;

// Samples that are worth fewer independent ones than this share of them.
constexpr double kNotableDependence = 0.25;

// The finite points, or the means of at most `most` equal shares of them.
std::vector<Point> TrendOf(const std::vector<Point>& points, size_t most) {
  std::vector<Point> finite;
  std::copy_if(points.begin(), points.end(), std::back_inserter(finite),
               [](const Point& point) { return std::isfinite(point.value); });
  if (finite.size() <= most) {
    return finite;
  }
  std::vector<Point> trend;
  for (size_t share = 0; share < most; ++share) {
    const size_t first = share * finite.size() / most;
    const size_t end = (share + 1) * finite.size() / most;
    Point mean{finite[first].t_ns, 0};
    for (size_t i = first; i < end; ++i) {
      mean.value += finite[i].value / static_cast<double>(end - first);
    }
    trend.push_back(mean);
  }
  return trend;
}

Result<SeriesAnalysis> AnalyseSeries(const Store& store,
                                     const SeriesInfo& series,
                                     size_t max_trend) {
  auto points = store.Points(series.id);
  if (!points) {
    return points.error();
  }
  auto digest = store.DigestOf(series.id);
  if (!digest) {
    return digest.error();
  }
  SeriesAnalysis analysis;
  analysis.name = series.name;
  analysis.kind = series.kind;
  analysis.unit = series.unit;
  analysis.dropped = series.dropped;
  analysis.trend = TrendOf(*points, max_trend);
  SeriesDigest all;
  for (const Point& point : *points) {
    all.Add(point);
  }
  if (*digest) {
    all.values.Merge((*digest)->values);
    all.moments.Merge((*digest)->moments);
  }
  analysis.count = all.moments.count;
  analysis.min = all.values.min();
  analysis.max = all.values.max();
  if (analysis.count > 0) {
    analysis.mean = all.moments.mean;
    analysis.last = all.moments.last;
  }
  return analysis;
}

std::optional<double> CounterOf(const Run& run, std::string_view name) {
  for (const CounterValue& counter : run.counters) {
    if (counter.name == name) {
      return counter.value;
    }
  }
  return std::nullopt;
}

std::optional<double> Quotient(std::optional<double> part,
                               std::optional<double> whole) {
  if (!part || !whole || *whole <= 0) {
    return std::nullopt;
  }
  return *part / *whole;
}

std::optional<double> Percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

void WarnOfSpan(const SpanAnalysis& span, const SpanSamples& samples,
                std::vector<std::string>& warnings) {
  if (span.dropped > 0) {
    warnings.push_back(fmt::format(
        "{} of '{}' {} lost before reaching the store; its figures rest on the "
        "others",
        FormatCount(span.dropped, "record"), span.name,
        span.dropped == 1 ? "was" : "were"));
  }
  if (span.summarised > 0) {
    warnings.push_back(fmt::format(
        "'{}' has more records than are stored one by one: of {} of them only "
        "the distribution is kept",
        span.name, FormatCount(span.summarised)));
  }
  const int64_t warmup = span.wall_ns.warmup_count.value_or(0);
  if (warmup > 0 && static_cast<size_t>(warmup) < samples.start_ns.size()) {
    const auto settled_ns =
        static_cast<double>(samples.start_ns[static_cast<size_t>(warmup)]);
    warnings.push_back(
        fmt::format("what looks like warm-up, the first {} of '{}', is part of "
                    "its figures; "
                    "--warmup {}ms leaves it out",
                    FormatCount(warmup, "sample"), span.name,
                    static_cast<int64_t>(std::ceil(settled_ns * 1e-6))));
  }
}

void WarnOfDependence(const SpanAnalysis& span,
                      std::vector<std::string>& warnings) {
  const double count = static_cast<double>(span.wall_ns.count);
  if (span.wall_ns.n_effective &&
      *span.wall_ns.n_effective < kNotableDependence * count) {
    warnings.push_back(fmt::format(
        "successive samples of '{}' depend on each other: {} are worth about "
        "{} independent ones, and the intervals are as wide as that needs",
        span.name, FormatCount(span.wall_ns.count),
        FormatCount(std::llround(*span.wall_ns.n_effective))));
  }
}

// One sentence for all counters that shared the hardware.
void WarnOfMultiplexing(const Run& run, std::vector<std::string>& warnings) {
  std::string names;
  double least_share = 1;
  for (const CounterValue& counter : run.counters) {
    if (counter.value && counter.running_share < 0.999) {
      names += (names.empty() ? "" : ", ") + counter.name;
      least_share = std::min(least_share, counter.running_share);
    }
  }
  if (!names.empty()) {
    warnings.push_back(fmt::format(
        "counters took turns on the hardware and are scaled up ({}: counted "
        "{:.0f}% of the time); fewer --events make them exact",
        names, 100 * least_share));
  }
}

void WarnOfRun(const Run& run, std::vector<std::string>& warnings) {
  if (run.state == RunState::kInterrupted) {
    warnings.push_back(
        "edgewise was interrupted: what was recorded until then is shown");
  } else if (run.state == RunState::kRunning) {
    warnings.push_back(
        "this Run is still going on: what was recorded so far is shown");
  }
  const Totals& totals = run.totals;
  if (totals.steal_s && totals.wall_s && run.machine.cores > 0) {
    const double share = *totals.steal_s / (*totals.wall_s * run.machine.cores);
    if (share > kNotableStealShare) {
      warnings.push_back(fmt::format(
          "the hypervisor took {:.1f}% of the machine's CPU time away during "
          "the Run",
          100 * share));
    }
  }
  if (totals.throttled_periods.value_or(0) > 0) {
    warnings.push_back(
        fmt::format("the CPU quota stopped the program in {}",
                    FormatCount(*totals.throttled_periods, "period")));
  }
  WarnOfMultiplexing(run, warnings);
  for (const ClientAccount& client : run.clients) {
    if (!client.open_spans.empty()) {
      warnings.push_back(fmt::format(
          "process {} ({}) ended inside of '{}'; that span is not counted",
          client.pid, client.name, client.open_spans.back()));
    }
  }
}

Result<std::optional<StackAnalysis>> AnalyseStacks(const Store& store,
                                                   const Run& run) {
  auto profile = store.StacksOf(run.id);
  if (!profile) {
    return profile.error();
  }
  if (!*profile) {
    return std::optional<StackAnalysis>();
  }
  StackAnalysis analysis;
  analysis.functions = stacks::RankFunctions(**profile);
  analysis.total = (*profile)->total();
  analysis.collection = std::move((*profile)->collection);
  if (const auto busy = Quotient(CpuSeconds(run.totals), run.totals.wall_s)) {
    analysis.off_cpu_percent = 100 * std::max(0.0, 1 - *busy);
  }
  return std::optional<StackAnalysis>(std::move(analysis));
}

}  // namespace

Result<RunAnalysis> Analyse(const Store& store, const Run& run,
                            const AnalysisDetail& detail) {
  auto all = store.SeriesOf(run.id);
  if (!all) {
    return all.error();
  }
  RunAnalysis analysis;
  WarnOfRun(run, analysis.warnings);
  for (const SeriesInfo& series : *all) {
    if (!HasSamples(series)) {
      auto figures = AnalyseSeries(store, series, detail.max_trend);
      if (!figures) {
        return figures.error();
      }
      analysis.series.push_back(std::move(*figures));
      continue;
    }
    auto samples = LoadSamples(store, run, series);
    if (!samples) {
      return samples.error();
    }
    analysis.spans.push_back(AnalyseSamples({&*samples, 1}, detail));
    WarnOfSpan(analysis.spans.back(), *samples, analysis.warnings);
    WarnOfDependence(analysis.spans.back(), analysis.warnings);
  }
  auto stacks = AnalyseStacks(store, run);
  if (!stacks) {
    return stacks.error();
  }
  analysis.stacks = std::move(*stacks);
  analysis.cpu_percent =
      Percent(Quotient(CpuSeconds(run.totals), run.totals.wall_s));
  analysis.instructions_per_cycle =
      Quotient(CounterOf(run, "instructions"), CounterOf(run, "cycles"));
  analysis.cache_miss_percent = Percent(Quotient(
      CounterOf(run, "cache-misses"), CounterOf(run, "cache-references")));
  analysis.branch_miss_percent = Percent(
      Quotient(CounterOf(run, "branch-misses"), CounterOf(run, "branches")));
  return analysis;
}

}  // namespace edgewise
