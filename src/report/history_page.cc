// An app's history as a page: footprint and latency over versions.
#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "report/curve_chart.h"
#include "report/experiment_page.h"
#include "report/figures.h"
#include "report/function_tables.h"
#include "report/history_tables.h"
#include "report/history_text.h"

namespace edgewise {
namespace {

constexpr size_t kMostFunctions = 20;
constexpr size_t kMostSpans = 6;
constexpr double kMiB = 1024.0 * 1024;

CurveChart ChartOver(const HistoryLine& line, std::string title,
                     std::string unit) {
  CurveChart chart;
  chart.title = std::move(title);
  chart.note = "bars are 95% intervals";
  chart.x_name = "version";
  chart.y_unit = std::move(unit);
  for (const VersionProfile& version : line.versions) {
    chart.labels.push_back(VersionText(version.version));
  }
  return chart;
}

CurvePoint PointOf(size_t at, const stats::Estimate& estimate, double divisor) {
  const auto scaled = [divisor](std::optional<double> value) {
    return value ? std::optional(*value / divisor) : std::nullopt;
  };
  return {.x = static_cast<double>(at),
          .y = estimate.value / divisor,
          .low = scaled(estimate.low),
          .high = scaled(estimate.high)};
}

void AddChart(CurveChart chart, std::vector<std::string>& charts) {
  const bool any =
      std::any_of(chart.series.begin(), chart.series.end(),
                  [](const CurveSeries& s) { return !s.points.empty(); });
  if (any) {
    charts.push_back(DrawCurves(chart));
  }
}

void AddFigureChart(const HistoryLine& line, const char* title,
                    const char* unit, double divisor,
                    std::optional<RunFigure> VersionProfile::*member,
                    std::vector<std::string>& charts) {
  CurveChart chart = ChartOver(line, title, unit);
  chart.y_name = title;
  CurveSeries mean{"mean", {}, {}, true};
  CurveSeries most{"most", {}, {}, false};
  for (size_t i = 0; i < line.versions.size(); ++i) {
    if (const auto& figure = line.versions[i].*member) {
      mean.points.push_back(PointOf(i, figure->mean, divisor));
      most.points.push_back(
          {.x = static_cast<double>(i), .y = figure->most / divisor});
    }
  }
  chart.series = {std::move(mean), std::move(most)};
  AddChart(std::move(chart), charts);
}

// The spans that take the most time, each with its median and its tail.
void AddSpanCharts(const HistoryLine& line, std::vector<std::string>& charts) {
  std::vector<std::pair<double, std::string>> names;
  for (const SpanAnalysis& span : line.versions.back().spans) {
    names.emplace_back(-span.wall_ns.mean.value_or(0) *
                           static_cast<double>(span.wall_ns.count),
                       span.name);
  }
  std::sort(names.begin(), names.end());
  names.resize(std::min(names.size(), kMostSpans));
  for (const auto& [weight, name] : names) {
    CurveChart chart = ChartOver(line, name, "ms");
    chart.y_name = "time";
    CurveSeries median{"p50", {}, {}, true};
    CurveSeries tail{"p99", {}, {}, true};
    for (size_t i = 0; i < line.versions.size(); ++i) {
      for (const SpanAnalysis& span : line.versions[i].spans) {
        if (span.name != name) {
          continue;
        }
        if (span.wall_ns.p50) {
          median.points.push_back(PointOf(i, *span.wall_ns.p50, 1e6));
        }
        if (span.wall_ns.p99) {
          tail.points.push_back(PointOf(i, *span.wall_ns.p99, 1e6));
        }
      }
    }
    chart.series = {std::move(median), std::move(tail)};
    AddChart(std::move(chart), charts);
  }
}

void AddLine(const HistoryLine& line, std::vector<PageSection>& sections) {
  PageSection footprint;
  footprint.heading = LineTitle(line);
  footprint.text = "Means over whole Runs with 95% intervals.";
  footprint.tables = {FootprintTable(line)};
  AddFigureChart(line, "CPU cores", "cores", 1, &VersionProfile::cpu_cores,
                 footprint.charts);
  AddFigureChart(line, "memory peak", "MiB", kMiB,
                 &VersionProfile::memory_bytes, footprint.charts);
  AddFigureChart(line, "GPU memory", "MiB", kMiB,
                 &VersionProfile::gpu_memory_bytes, footprint.charts);
  AddFigureChart(line, "energy", "J", 1, &VersionProfile::energy_j,
                 footprint.charts);
  sections.push_back(std::move(footprint));

  PageSection latency{"Latency", "", {TailTable(line)}, {}, "", true};
  AddSpanCharts(line, latency.charts);
  if (!latency.tables.front().rows.empty()) {
    sections.push_back(std::move(latency));
  }
  const Table worse = ChangeTable(line, true);
  const Table better = ChangeTable(line, false);
  sections.push_back(
      {worse.rows.empty() ? "No regression shown" : "Regressions",
       ComparedText(line),
       {worse},
       {},
       "",
       true});
  if (!better.rows.empty()) {
    sections.push_back({"Better", "", {better}, {}, "", true});
  }
  sections.push_back({"Resources to request",
                      line.resources.doubt,
                      {ResourceTable(line.resources)},
                      {},
                      "",
                      true});
}

std::vector<std::string> Advice(const History& history) {
  const int64_t regressions = CountRegressions(history);
  std::vector<std::string> advice{
      regressions == 0
          ? std::string("No regression is shown.")
          : FormatCount(regressions) +
                (regressions == 1 ? " figure is" : " figures are") +
                " shown to be worse than in the version before."};
  for (const std::string& warning : history.warnings) {
    advice.push_back(warning);
  }
  return advice;
}

}  // namespace

std::string HistoryHtml(const History& history) {
  ExperimentPage page;
  page.title = "History of " + history.app;
  page.subtitle = HistorySummary(history);
  if (history.worst_memory) {
    page.facts.emplace_back("worst-case memory",
                            WorstMemoryText(*history.worst_memory));
  }
  page.advice = Advice(history);
  for (const HistoryLine& line : history.lines) {
    AddLine(line, page.sections);
  }
  if (history.functions) {
    page.sections.push_back(
        {"Most expensive functions",
         "Of version " + VersionText(history.functions_version) + ": " +
             SampledText(*history.functions),
         {FunctionTable(*history.functions, kMostFunctions, 0)},
         {},
         ""});
  }
  page.contents = history.lines.size() > 1;
  return ExperimentHtml(page);
}

}  // namespace edgewise
