#include "report/run_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/units.h"
#include "report/figures.h"
#include "report/flame.h"
#include "report/outcome.h"
#include "report/svg_chart.h"
#include "report/svg_flame.h"

namespace edgewise {
namespace {

constexpr size_t kLongestName = 80;

// Series of which edgewise takes one for each thread; the page has them.
constexpr std::string_view kThreadSeries = "cpu_percent of thread ";

std::string FileName(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, kLongestName)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                       c == '.';
    name += plain ? c : '_';
  }
  return name;
}

std::vector<double> ValuesOf(const std::vector<ChartLine>& lines, bool of_x) {
  std::vector<double> values;
  for (const ChartLine& line : lines) {
    for (const auto& [x, y] : line.points) {
      values.push_back(of_x ? x : y);
    }
  }
  return values;
}

void SetAxes(SvgChart* chart, bool x_logarithmic) {
  chart->x = AxisFor(ValuesOf(chart->lines, true), false, x_logarithmic);
  chart->y = AxisFor(ValuesOf(chart->lines, false), true, false);
}

DurationUnit UnitOf(const SpanAnalysis& span) {
  return UnitFor(span.wall_ns.p50 ? span.wall_ns.p50->value : 0);
}

std::string SpanNote(const SpanAnalysis& span) {
  return FormatCount(span.wall_ns.count, span.jobs ? "job" : "span");
}

std::string HistogramSvg(const SpanAnalysis& span) {
  const DurationUnit unit = UnitOf(span);
  SvgChart chart;
  chart.title = "How often each time of " + span.name + " occurred";
  chart.note = SpanNote(span);
  chart.x_unit = unit.name;
  chart.y_unit = "count";
  ChartLine steps{"", {}, true};
  for (const stats::HistogramBin& bin : span.histogram.bins) {
    const double count = static_cast<double>(bin.count);
    steps.points.emplace_back(bin.low / unit.ns, count);
    steps.points.emplace_back(bin.high / unit.ns, count);
  }
  chart.lines.push_back(std::move(steps));
  SetAxes(&chart, span.histogram.logarithmic);
  return DrawChart(chart);
}

std::string CdfSvg(const SpanAnalysis& span) {
  const DurationUnit unit = UnitOf(span);
  SvgChart chart;
  chart.title = "Share of " + span.name + " that took at most so long";
  chart.note = SpanNote(span) + ", with 95% intervals";
  chart.x_unit = unit.name;
  chart.y_unit = "%";
  ChartLine line;
  SvgPicture::Points low;
  SvgPicture::Points high;
  for (const DistributionPoint& point : span.distribution) {
    const double percent = 100 * point.share;
    line.points.emplace_back(point.value.value / unit.ns, percent);
    if (point.value.sufficient()) {
      low.emplace_back(*point.value.low / unit.ns, percent);
      high.emplace_back(*point.value.high / unit.ns, percent);
    }
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  chart.bands.push_back({std::move(low)});
  chart.lines.push_back(std::move(line));
  SetAxes(&chart, span.histogram.logarithmic);
  return DrawChart(chart);
}

std::string OverTimeSvg(const SpanAnalysis& span) {
  const DurationUnit unit = UnitOf(span);
  SvgChart chart;
  chart.title = span.name + " over time";
  chart.note = SpanNote(span);
  chart.x_unit = "s";
  chart.y_unit = unit.name;
  const auto add = [&](std::string label, double TimeBucket::*figure) {
    ChartLine line{std::move(label), {}, false};
    for (const TimeBucket& bucket : span.over_time) {
      line.points.emplace_back(static_cast<double>(bucket.start_ns) * 1e-9,
                               bucket.*figure / unit.ns);
    }
    chart.lines.push_back(std::move(line));
  };
  add("median", &TimeBucket::median_ns);
  add("max", &TimeBucket::max_ns);
  SetAxes(&chart, false);
  return DrawChart(chart);
}

// How values of a series are shown.
struct SeriesUnit {
  std::string name;
  double size = 1;
};

SeriesUnit UnitOf(const SeriesAnalysis& series) {
  if (series.unit == "bytes" || series.unit == "bytes_per_s") {
    const std::string rate = series.unit == "bytes" ? "" : "/s";
    const double largest = std::max(series.max.value_or(0), 1.0);
    return largest >= double{1 << 30}   ? SeriesUnit{"GiB" + rate, 1 << 30}
           : largest >= double{1 << 20} ? SeriesUnit{"MiB" + rate, 1 << 20}
                                        : SeriesUnit{"KiB" + rate, 1 << 10};
  }
  return {series.unit == "percent"   ? "%"
          : series.unit == "celsius" ? "°C"
          : series.unit == "watt"    ? "W"
                                     : series.unit,
          1};
}

std::string SeriesSvg(const SeriesAnalysis& series) {
  const SeriesUnit unit = UnitOf(series);
  SvgChart chart;
  chart.title = series.name;
  if (series.mean && series.max) {
    chart.note =
        fmt::format("mean {} {}, max {} {}", Figure(*series.mean / unit.size),
                    unit.name, Figure(*series.max / unit.size), unit.name);
  }
  chart.x_unit = "s";
  chart.y_unit = unit.name;
  ChartLine line{"", {}, true};
  for (const Point& point : series.trend) {
    line.points.emplace_back(static_cast<double>(point.t_ns) * 1e-9,
                             point.value / unit.size);
  }
  chart.lines.push_back(std::move(line));
  SetAxes(&chart, false);
  return DrawChart(chart);
}

// Charts under names that differ, also as files.
class Charts {
 public:
  void Add(std::string_view name, std::function<std::string()> draw) {
    const std::string wanted = FileName(name);
    std::string unique = wanted;
    for (int i = 2; !names_.insert(unique).second; ++i) {
      unique = wanted + "-" + std::to_string(i);
    }
    charts_.push_back({std::move(unique), std::move(draw)});
  }
  std::vector<RunChart> Take() { return std::move(charts_); }

 private:
  std::set<std::string> names_;
  std::vector<RunChart> charts_;
};

}  // namespace

std::vector<RunChart> ChartsOf(const Run& run, const RunAnalysis& analysis,
                               const stacks::StackProfile* stacks) {
  Charts charts;
  if (stacks != nullptr && stacks->total() > 0) {
    charts.Add("flame", [&run, stacks] {
      return FlameSvg(MakeFlameTree(*stacks), CommandText(run));
    });
  }
  for (const SpanAnalysis& span : analysis.spans) {
    if (!span.histogram.bins.empty()) {
      charts.Add("histogram-" + span.name,
                 [&span] { return HistogramSvg(span); });
    }
    if (!span.distribution.empty()) {
      charts.Add("cdf-" + span.name, [&span] { return CdfSvg(span); });
    }
    if (span.over_time.size() > 1) {
      charts.Add("time-" + span.name, [&span] { return OverTimeSvg(span); });
    }
  }
  for (const SeriesAnalysis& series : analysis.series) {
    if (!series.trend.empty() && !series.name.starts_with(kThreadSeries)) {
      charts.Add("series-" + series.name,
                 [&series] { return SeriesSvg(series); });
    }
  }
  return charts.Take();
}

}  // namespace edgewise
