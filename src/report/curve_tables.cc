#include "report/curve_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/units.h"
#include "experiments/ratio_text.h"
#include "report/figures.h"
#include "report/utf8.h"
#include "stats/tail_claim.h"

namespace edgewise {
namespace {

using stats::Estimate;

// What a column shows its figures in.
struct ColumnUnit {
  std::string title;
  double divisor = 1;
};

bool Any(const Curve& curve, FigureKind kind) {
  return std::any_of(
      curve.points.begin(), curve.points.end(),
      [&](const MeasuredPoint& p) { return p[kind].has_value(); });
}

// The unit that suits the smallest of them, the same for all latencies.
double TypicalNs(const Curve& curve) {
  double least = std::numeric_limits<double>::infinity();
  for (const MeasuredPoint& point : curve.points) {
    if (const auto& p50 = point[FigureKind::kP50]) {
      least = std::min(least, p50->value);
    }
  }
  return least;
}

ColumnUnit UnitOf(FigureKind kind, const DurationUnit& durations) {
  const FigureInfo& info = InfoOf(kind);
  const std::string title(info.title);
  if (info.unit == "ns") {
    return {title + " " + std::string(durations.name), durations.ns};
  }
  if (info.unit == "bytes") {
    return {title + " MiB", 1024.0 * 1024};
  }
  if (info.unit == "1/s") {
    return {title + " /s", 1};
  }
  return {title + " " + std::string(info.unit), 1};
}

std::string WithInterval(const std::optional<Estimate>& estimate,
                         double divisor) {
  if (!estimate) {
    return std::string(kUnknown);
  }
  std::string text = Figure(estimate->value / divisor);
  if (estimate->sufficient()) {
    text += " [" + Figure(*estimate->low / divisor) + "–" +
            Figure(*estimate->high / divisor) + "]";
  }
  return text;
}

// The same; where items or Runs are too few for an interval, what it needs.
std::string FigureText(const MeasuredPoint& point, FigureKind kind,
                       double divisor) {
  std::string text = WithInterval(point[kind], divisor);
  if (!point[kind] || point[kind]->sufficient()) {
    return text;
  }
  const auto p = PercentileOf(kind);
  const int64_t items = p ? stats::SmallestSampleForInterval(*p) : 0;
  return text + (point.items < items
                     ? " [needs " + FormatCount(items, "item") + "]"
                     : " [needs 2 Runs]");
}

std::vector<Cell> SettingCells(const Curve& curve, const KnobSetting& setting) {
  std::vector<Cell> cells;
  for (const Knob& knob : curve.knobs) {
    cells.push_back({Printable(std::string(ValueOf(setting, knob.name)))});
  }
  return cells;
}

Table KnobColumns(const Curve& curve) {
  Table table;
  for (const Knob& knob : curve.knobs) {
    table.columns.push_back({Printable(knob.name), false});
  }
  return table;
}

// "3 of 5 failed: exit code 3", "1 disturbed".
Cell MarkOf(const MeasuredPoint& point) {
  if (point.failed > 0) {
    return {fmt::format("{} of {} failed: {}", point.failed,
                        point.failed + static_cast<int>(point.runs.size()),
                        point.failure),
            Tone::kBad};
  }
  if (point.disturbed > 0) {
    return {
        fmt::format("{} of {} disturbed", point.disturbed, point.runs.size()),
        Tone::kWarning};
  }
  return {};
}

std::string ShareText(const Estimate& estimate) {
  std::string text = fmt::format("{:.1f}%", 100 * estimate.value);
  if (estimate.sufficient()) {
    text += fmt::format(" [{:.1f}–{:.1f}]", 100 * *estimate.low,
                        100 * *estimate.high);
  }
  return text;
}

void AddLaw(const CurveLaw& law, const stats::ScalingFit& fit, Table* table) {
  const bool universal = fit.law == stats::ScalingLaw::kUniversal;
  table->rows.push_back(
      {{Printable(FormatSetting(law.fixed))},
       {std::string(stats::ScalingLawName(fit.law)),
        law.better == fit.law ? Tone::kStrong : Tone::kPlain},
       {ShareText(fit.serial_share)},
       {universal ? WithInterval(fit.coherency, 1) : std::string(kUnknown)},
       {fit.r_squared ? fmt::format("{:.3f}", *fit.r_squared)
                      : std::string(kUnknown)},
       {fit.residual_percent ? fmt::format("{:.1f}%", *fit.residual_percent)
                             : std::string(kUnknown)},
       {WithInterval(fit.best_n, 1)},
       {WithInterval(fit.largest_throughput, 1)},
       {law.better == fit.law ? "better" : ""}});
}

}  // namespace

Table CurveFigureTable(const Curve& curve, std::span<const FigureKind> kinds) {
  Table table = KnobColumns(curve);
  const DurationUnit durations = UnitFor(TypicalNs(curve));
  std::vector<std::pair<FigureKind, ColumnUnit>> columns;
  for (const FigureKind kind : kinds) {
    if (Any(curve, kind)) {
      columns.emplace_back(kind, UnitOf(kind, durations));
      table.columns.push_back({columns.back().second.title});
    }
  }
  table.columns.push_back({"items"});
  const bool marks = std::any_of(
      curve.points.begin(), curve.points.end(),
      [](const MeasuredPoint& p) { return !MarkOf(p).text.empty(); });
  if (marks) {
    table.columns.push_back({"", false});
  }
  for (const MeasuredPoint& point : curve.points) {
    std::vector<Cell> row = SettingCells(curve, point.setting);
    for (const auto& [kind, unit] : columns) {
      row.push_back({FigureText(point, kind, unit.divisor)});
    }
    row.push_back({point.runs.empty() ? std::string(kUnknown)
                                      : FormatCount(point.items)});
    if (marks) {
      row.push_back(MarkOf(point));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table SpeedUpTable(const Curve& curve) {
  Table table = KnobColumns(curve);
  table.columns.push_back({"speed-up"});
  table.columns.push_back({"efficiency"});
  table.columns.push_back({"against", false});
  for (const MeasuredPoint& point : curve.points) {
    if (!point.speed_up) {
      continue;
    }
    std::vector<Cell> row = SettingCells(curve, point.setting);
    row.push_back({RatioText(*point.speed_up)});
    row.push_back({point.efficiency
                       ? fmt::format("{:.0f}%", 100 * *point.efficiency)
                       : std::string(kUnknown)});
    row.push_back({Printable(point.base)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ValueTable(const Curve& curve) {
  Table table{{{"knob", false},
               {"value", false},
               {"against", false},
               {"with", false, true},
               {"p50"},
               {"throughput"},
               {"memory"}},
              {}};
  for (const ValueComparison& c : curve.comparisons) {
    table.rows.push_back({{Printable(c.knob)},
                          {Printable(c.value), Tone::kStrong},
                          {Printable(c.against)},
                          {Printable(FormatSetting(c.fixed))},
                          {RatioText(c.p50)},
                          {RatioText(c.throughput)},
                          {RatioText(c.memory)}});
  }
  return table;
}

Table LawTable(const Curve& curve) {
  Table table{{{"with", false},
               {"law", false},
               {"serial share"},
               {"coherency"},
               {"R²"},
               {"residual"},
               {"best n"},
               {"most /s"},
               {"", false}},
              {}};
  for (const CurveLaw& law : curve.laws) {
    for (const auto& fit : {law.amdahl, law.universal}) {
      if (fit) {
        AddLaw(law, *fit, &table);
      }
    }
  }
  return table;
}

std::string TailClaimNote(const Curve& curve) {
  int64_t fewest = std::numeric_limits<int64_t>::max();
  bool loads = false;
  for (const MeasuredPoint& point : curve.points) {
    if (!ValueOf(point.setting, kLoadKnob).empty() && !point.runs.empty()) {
      loads = true;
      fewest = std::min(fewest, point.items);
    }
  }
  if (!loads) {
    return "";
  }
  std::string claims;
  for (const double p : {0.99, 0.95, 0.9}) {
    if (fewest >= stats::MlperfQueries(p)) {
      return fmt::format(
          "each point has at least {} items, enough for a claim on p{:g} by "
          "MLPerf's rule ({})",
          FormatCount(fewest), 100 * p, FormatCount(stats::MlperfQueries(p)));
    }
    claims += fmt::format("{}{} for p{:g}", claims.empty() ? "" : ", ",
                          FormatCount(stats::MlperfQueries(p)), 100 * p);
  }
  return fmt::format(
      "MLPerf asks for more items before a tail is claimed: {}; the smallest "
      "point here has {}, so read the intervals",
      claims, FormatCount(fewest));
}

}  // namespace edgewise
