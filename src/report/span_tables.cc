#include "report/span_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/units.h"
#include "report/figures.h"
#include "report/utf8.h"
#include "stats/quantile.h"

namespace edgewise {
namespace {

using stats::Estimate;
using stats::SpanSummary;

struct Percentile {
  std::string_view title;
  double p;
  std::optional<Estimate> SpanSummary::*estimate;
};

constexpr std::array<Percentile, 5> kPercentiles{{
    {"p50", 0.5, &SpanSummary::p50},
    {"p90", 0.9, &SpanSummary::p90},
    {"p95", 0.95, &SpanSummary::p95},
    {"p99", 0.99, &SpanSummary::p99},
    {"p99.9", 0.999, &SpanSummary::p999},
}};

DurationUnit UnitOf(const SpanSummary& summary) {
  return UnitFor(summary.mean.value_or(0));
}

std::string In(const DurationUnit& unit, std::optional<double> ns) {
  return ns ? Figure(*ns / unit.ns) : std::string(kUnknown);
}

// "23.8–24.2", "needs 368", or "--" without an estimate.
std::string IntervalText(const std::optional<Estimate>& estimate, double p,
                         const DurationUnit& unit) {
  if (!estimate) {
    return std::string(kUnknown);
  }
  if (estimate->sufficient()) {
    return In(unit, estimate->low) + "–" + In(unit, estimate->high);
  }
  return "needs " + FormatCount(stats::SmallestSampleForInterval(p));
}

std::string RateText(const SpanSummary& summary) {
  return summary.throughput_per_s ? Figure(*summary.throughput_per_s)
                                  : std::string(kUnknown);
}

Table EmptyPercentileTable() {
  Table table{{{"span", false, true}, {"unit", false}}, {}};
  for (const Percentile& percentile : kPercentiles) {
    table.columns.push_back({std::string(percentile.title)});
  }
  return table;
}

}  // namespace

Table SpanFigureTable(const std::vector<SpanAnalysis>& spans) {
  const bool any_dropped =
      std::any_of(spans.begin(), spans.end(),
                  [](const SpanAnalysis& span) { return span.dropped > 0; });
  Table table{{{"span", false, true},
               {"unit", false},
               {"count"},
               {"mean"},
               {"CPU"},
               {"stddev"},
               {"jitter"},
               {"max"},
               {"rate/s"}},
              {}};
  if (any_dropped) {
    table.columns.push_back({"dropped"});
  }
  for (const SpanAnalysis& span : spans) {
    const SpanSummary& wall = span.wall_ns;
    const DurationUnit unit = UnitOf(wall);
    std::vector<Cell> row{{Printable(span.name)},
                          {std::string(unit.name)},
                          {FormatCount(wall.count)},
                          {In(unit, wall.mean)},
                          {In(unit, span.cpu_mean_ns)},
                          {In(unit, wall.stddev)},
                          {In(unit, wall.jitter)},
                          {In(unit, wall.max)},
                          {RateText(wall)}};
    if (any_dropped) {
      row.push_back({FormatCount(span.dropped),
                     span.dropped > 0 ? Tone::kWarning : Tone::kPlain});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table PercentileTable(const std::vector<SpanAnalysis>& spans) {
  Table table = EmptyPercentileTable();
  for (const SpanAnalysis& span : spans) {
    const DurationUnit unit = UnitOf(span.wall_ns);
    std::vector<Cell> row{{Printable(span.name)}, {std::string(unit.name)}};
    for (const Percentile& percentile : kPercentiles) {
      const auto& estimate = span.wall_ns.*percentile.estimate;
      row.push_back(
          {estimate ? fmt::format("{} [{}]", In(unit, estimate->value),
                                  IntervalText(estimate, percentile.p, unit))
                    : std::string(kUnknown)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table NarrowPercentileTable(const std::vector<SpanAnalysis>& spans) {
  Table table = EmptyPercentileTable();
  for (const SpanAnalysis& span : spans) {
    const DurationUnit unit = UnitOf(span.wall_ns);
    std::vector<Cell> values{{Printable(span.name)}, {std::string(unit.name)}};
    std::vector<Cell> intervals{{"  95% interval", Tone::kDim}, {""}};
    for (const Percentile& percentile : kPercentiles) {
      const auto& estimate = span.wall_ns.*percentile.estimate;
      values.push_back(
          {estimate ? In(unit, estimate->value) : std::string(kUnknown)});
      intervals.push_back(
          {estimate ? IntervalText(estimate, percentile.p, unit) : "",
           Tone::kDim});
    }
    table.rows.push_back(std::move(values));
    table.rows.push_back(std::move(intervals));
  }
  return table;
}

std::string PercentileNote(const std::vector<SpanAnalysis>& spans) {
  for (const SpanAnalysis& span : spans) {
    for (const Percentile& percentile : kPercentiles) {
      const auto& estimate = span.wall_ns.*percentile.estimate;
      if (estimate && !estimate->sufficient()) {
        return "needs N: insufficient samples, an interval takes N independent "
               "ones";
      }
    }
  }
  return "";
}

Table JobTable(const std::vector<SpanAnalysis>& spans) {
  Table table{{{"periodic", false, true},
               {"unit", false},
               {"jobs"},
               {"missed"},
               {"response mean"},
               {"p99"},
               {"max"},
               {"worst lateness"}},
              {}};
  for (const SpanAnalysis& span : spans) {
    if (!span.jobs) {
      continue;
    }
    const SpanSummary& response = span.jobs->response_ns;
    const DurationUnit unit = UnitOf(response);
    table.rows.push_back(
        {{Printable(span.name)},
         {std::string(unit.name)},
         {FormatCount(response.count)},
         {FormatCount(span.jobs->deadline_misses),
          span.jobs->deadline_misses > 0 ? Tone::kBad : Tone::kGood},
         {In(unit, response.mean)},
         {response.p99 ? In(unit, response.p99->value) : std::string(kUnknown)},
         {In(unit, response.max)},
         {In(unit, span.jobs->max_lateness_ns)}});
  }
  return table;
}

const SpanAnalysis* MainSpan(const std::vector<SpanAnalysis>& spans) {
  const SpanAnalysis* main = nullptr;
  double most_ns = -1;
  for (const SpanAnalysis& span : spans) {
    const double total_ns =
        span.wall_ns.mean.value_or(0) * static_cast<double>(span.wall_ns.count);
    if (span.wall_ns.mean && total_ns > most_ns) {
      most_ns = total_ns;
      main = &span;
    }
  }
  return main;
}

std::vector<Bar> SpanBars(const SpanAnalysis& span, size_t most) {
  const auto& bins = span.histogram.bins;
  const DurationUnit unit = UnitOf(span.wall_ns);
  const size_t count_of_bars = std::min(bins.size(), most);
  std::vector<Bar> bars;
  for (size_t bar = 0; bar < count_of_bars; ++bar) {
    const size_t first = bar * bins.size() / count_of_bars;
    const size_t end = (bar + 1) * bins.size() / count_of_bars;
    uint64_t count = 0;
    for (size_t i = first; i < end; ++i) {
      count += bins[i].count;
    }
    bars.push_back({fmt::format("{}–{} {}", In(unit, bins[first].low),
                                In(unit, bins[end - 1].high), unit.name),
                    static_cast<int64_t>(count)});
  }
  return bars;
}

}  // namespace edgewise
