#include "report/curve_page.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "experiments/curve_advice.h"
#include "report/curve_chart.h"
#include "report/curve_tables.h"
#include "report/figures.h"

namespace edgewise {
namespace {

// Steps of a fitted law's line.
constexpr int kLawSteps = 60;

bool HasNumbers(const Knob& knob) {
  return knob.values.size() > 1 &&
         std::all_of(knob.values.begin(), knob.values.end(),
                     [&](const std::string& value) {
                       return KnobNumber(knob.name, value).has_value();
                     });
}

// What the x axis shows: threads, cores, quota, any other knob with numbers,
// else the first that was varied. nullptr without knobs.
const Knob* XKnob(const Curve& curve) {
  const Knob* best = nullptr;
  int best_rank = 0;
  for (const Knob& knob : curve.knobs) {
    const int rank = knob.name == kThreadsKnob && HasNumbers(knob) ? 5
                     : knob.name == kCpusKnob && HasNumbers(knob)  ? 4
                     : knob.name == kQuotaKnob && HasNumbers(knob) ? 3
                     : HasNumbers(knob)                            ? 2
                                                                   : 1;
    if (rank > best_rank) {
      best = &knob;
      best_rank = rank;
    }
  }
  return best;
}

std::string XName(const Knob& knob) {
  if (knob.name == kCpusKnob) {
    return "cores";
  }
  if (knob.name == kFrequencyKnob) {
    return "clock in MHz";
  }
  return knob.name == kQuotaKnob ? "quota in cores" : knob.name;
}

struct Scale {
  std::string unit;
  double divisor = 1;
};

Scale ScaleOf(const Curve& curve, FigureKind kind) {
  const FigureInfo& info = InfoOf(kind);
  if (info.unit == "bytes") {
    return {"MiB", 1024.0 * 1024};
  }
  if (info.unit != "ns") {
    return {std::string(info.unit == "1/s" ? "items/s" : info.unit), 1};
  }
  double most = 0;
  for (const MeasuredPoint& point : curve.points) {
    most = std::max(most, point[kind] ? point[kind]->value : 0);
  }
  const DurationUnit unit = UnitFor(most);
  return {std::string(unit.name), unit.ns};
}

std::optional<double> Scaled(std::optional<double> value, const Scale& scale) {
  return value ? std::optional(*value / scale.divisor) : std::nullopt;
}

// The better law's line through the points of one family.
std::vector<std::pair<double, double>> LawLine(const Curve& curve,
                                               const Knob& x,
                                               const KnobSetting& fixed) {
  for (const CurveLaw& law : curve.laws) {
    if (law.knob != x.name || law.fixed != fixed) {
      continue;
    }
    const auto& fit = law.universal && law.better != stats::ScalingLaw::kAmdahl
                          ? law.universal
                          : law.amdahl;
    if (!fit) {
      return {};
    }
    std::vector<std::pair<double, double>> line;
    for (int i = 0; i <= kLawSteps; ++i) {
      const double n = 1 + (fit->largest_n - 1) * i / kLawSteps;
      line.emplace_back(n, stats::ThroughputAt(*fit, n));
    }
    return line;
  }
  return {};
}

std::string ChartOf(const Curve& curve, const Knob& x, FigureKind kind) {
  const FigureInfo& info = InfoOf(kind);
  const Scale scale = ScaleOf(curve, kind);
  const bool numbers = HasNumbers(x);
  CurveChart chart;
  chart.title = std::string(info.title) + " over " + XName(x);
  chart.note = info.more_is_better ? "more is better" : "less is better";
  chart.x_name = XName(x);
  chart.y_name = info.title;
  chart.y_unit = scale.unit;
  if (!numbers) {
    chart.labels = x.values;
  }
  // In the order of the points, which is that of the knobs' values.
  std::vector<std::pair<KnobSetting, CurveSeries>> lines;
  for (const MeasuredPoint& point : curve.points) {
    if (!point[kind]) {
      continue;
    }
    const KnobSetting rest = Without(point.setting, x.name);
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const auto& l) { return l.first == rest; });
    if (line == lines.end()) {
      CurveSeries series;
      series.name = rest.empty() ? "" : DescribeSetting(rest);
      if (kind == FigureKind::kThroughput && numbers) {
        series.line = LawLine(curve, x, rest);
      }
      line = lines.insert(lines.end(), {rest, std::move(series)});
    }
    const std::string value(ValueOf(point.setting, x.name));
    const double at =
        numbers ? *KnobNumber(x.name, value)
                : static_cast<double>(
                      std::find(x.values.begin(), x.values.end(), value) -
                      x.values.begin());
    const stats::Estimate& figure = *point[kind];
    line->second.points.push_back({at, figure.value / scale.divisor,
                                   Scaled(figure.low, scale),
                                   Scaled(figure.high, scale)});
  }
  for (auto& [rest, series] : lines) {
    chart.series.push_back(std::move(series));
  }
  return DrawCurves(chart);
}

}  // namespace

std::vector<CurveDrawing> CurveCharts(const Curve& curve) {
  std::vector<CurveDrawing> charts;
  const Knob* x = XKnob(curve);
  if (x == nullptr) {
    return charts;
  }
  for (const FigureKind kind : AllFigures()) {
    if (std::any_of(curve.points.begin(), curve.points.end(),
                    [&](const auto& p) { return p[kind].has_value(); })) {
      std::string name(InfoOf(kind).title);
      std::replace(name.begin(), name.end(), ' ', '-');
      charts.push_back({std::move(name), ChartOf(curve, *x, kind)});
    }
  }
  return charts;
}

std::vector<PageSection> CurveSections(const Curve& curve) {
  PageSection charts;
  charts.heading = "Curves";
  charts.text =
      "Geometric means over the repeats with 95% intervals; dashed: the "
      "fitted law.";
  for (CurveDrawing& drawing : CurveCharts(curve)) {
    charts.charts.push_back(std::move(drawing.svg));
  }
  PageSection figures;
  figures.heading = "Figures";
  figures.tables = {CurveFigureTable(curve, kItemFigures),
                    CurveFigureTable(curve, kResourceFigures)};
  std::vector<PageSection> sections{std::move(charts), std::move(figures)};
  const auto add = [&sections](const char* heading, const char* text,
                               Table table) {
    if (!table.rows.empty()) {
      sections.push_back({heading, text, {std::move(table)}, {}, ""});
    }
  };
  add("What more buys",
      "Throughput against the smallest point; efficiency is that divided by "
      "how many times the cores it can use.",
      SpeedUpTable(curve));
  add("Side by side", "Ratios below 1 are less.", ValueTable(curve));
  add("Fitted laws",
      "Serial share: what only one thread does while the others wait. "
      "Coherency: what each pair of threads costs.",
      LawTable(curve));
  std::string notes = Join(curve.notes, ". ");
  if (const std::string claim = TailClaimNote(curve); !claim.empty()) {
    notes += (notes.empty() ? "" : ". ") + claim;
  }
  if (!notes.empty()) {
    sections.push_back({"Notes", notes, {}, {}, ""});
  }
  return sections;
}

std::string CurveHtml(const Curve& curve) {
  ExperimentPage page;
  page.title = "Sweep " + curve.group;
  page.subtitle = ShellQuote(curve.command);
  page.facts = {{"item", curve.span.empty() ? "the whole program" : curve.span},
                {"points", FormatCount(std::ssize(curve.points))},
                {"machine", curve.machine.empty() ? std::string(kUnknown)
                                                  : curve.machine}};
  page.advice = curve.advice;
  page.sections = CurveSections(curve);
  return ExperimentHtml(page);
}

}  // namespace edgewise
