#include "report/contend_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/axis.h"
#include "report/figures.h"
#include "report/heat_map.h"
#include "report/svg.h"
#include "report/svg_chart.h"
#include "report/utf8.h"
#include "stress/stress_spec.h"

namespace edgewise {
namespace {

constexpr std::array<double, kHeats - 1> kHeatFrom{1.05, 1.15, 1.4, 2};
constexpr std::array<std::string_view, kHeats> kShades{" ", "░", "▒", "▓", "█"};
constexpr std::array<std::string_view, kHeats> kAsciiShades{" ", ".", "o", "O",
                                                            "#"};
constexpr std::array<Tone, kHeats> kTones{
    Tone::kGood, Tone::kPlain, Tone::kWarning, Tone::kBad, Tone::kBad};

void AddOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(name);
  }
}

std::string CellText(const SlowDown* cell) {
  return cell == nullptr || !cell->p50.ratio
             ? std::string(kUnknown)
             : fmt::format("{:.2f}", *cell->p50.ratio);
}

// For the picture; `tip` is what its tip begins with.
HeatCell MapCell(std::string tip, const SlowDown* slow_down) {
  HeatCell cell{{CellText(slow_down)}, std::move(tip), {}};
  cell.tip += CellText(slow_down);
  if (slow_down == nullptr) {
    return cell;
  }
  const auto& p50 = slow_down->p50;
  if (p50.ratio) {
    cell.heat = HeatOf(*p50.ratio);
    if (p50.low && p50.high) {
      cell.tip += fmt::format(" ({:.2f} to {:.2f})", *p50.low, *p50.high);
    }
  }
  if (!slow_down->failure.empty()) {
    cell.tip += "; " + slow_down->failure;
  }
  return cell;
}

Cell ShadedCell(const SlowDown* slow_down, const TextStyle& style) {
  Cell cell{CellText(slow_down)};
  if (slow_down != nullptr && slow_down->p50.ratio) {
    const auto heat = static_cast<size_t>(HeatOf(*slow_down->p50.ratio));
    cell.text += " ";
    cell.text += (style.unicode ? kShades : kAsciiShades)[heat];
    cell.tone = kTones[heat];
  }
  return cell;
}

// `turned`: who suffers is in the columns.
Table MatrixTable(const ContendMatrix& matrix, bool turned,
                  const TextStyle& style) {
  const auto& heads = turned ? matrix.rows : matrix.columns;
  const auto& names = turned ? matrix.columns : matrix.rows;
  Table table;
  table.columns.push_back(
      {turned ? "beside, p50 × of" : "p50 ×, beside", false});
  for (const std::string& head : heads) {
    table.columns.push_back({head});
  }
  for (size_t i = 0; i < names.size(); ++i) {
    std::vector<Cell> row{{names[i]}};
    for (size_t k = 0; k < heads.size(); ++k) {
      row.push_back(
          ShadedCell(turned ? matrix.cells[k][i] : matrix.cells[i][k], style));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

ContendMatrix MatrixOf(const ContendReport& report) {
  ContendMatrix matrix;
  for (const ContendApp& app : report.apps) {
    matrix.rows.push_back(app.name);
    for (const SlowDown& each : report.slow_downs) {
      if (each.beside.size() == 1 && each.beside.front() == app.name) {
        AddOnce(matrix.columns, app.name);
      }
    }
  }
  for (const SlowDown& each : report.slow_downs) {
    if (each.beside.size() == 1) {
      AddOnce(matrix.columns, each.beside.front());
    }
  }
  std::stable_sort(matrix.columns.begin(), matrix.columns.end(),
                   NeighbourOrder);
  matrix.cells.assign(matrix.rows.size(),
                      std::vector<const SlowDown*>(matrix.columns.size()));
  for (const SlowDown& each : report.slow_downs) {
    const auto row =
        std::find(matrix.rows.begin(), matrix.rows.end(), each.actor);
    const auto column =
        each.beside.size() == 1
            ? std::find(matrix.columns.begin(), matrix.columns.end(),
                        each.beside.front())
            : matrix.columns.end();
    if (row != matrix.rows.end() && column != matrix.columns.end()) {
      matrix.cells[static_cast<size_t>(row - matrix.rows.begin())]
                  [static_cast<size_t>(column - matrix.columns.begin())] =
          &each;
    }
  }
  return matrix;
}

bool NeighbourOrder(const std::string& a, const std::string& b) {
  const auto left = ParseStressSpec(a);
  const auto right = ParseStressSpec(b);
  if (!left || !right) {
    return !left && right;
  }
  return std::pair(left->kind, left->dial_percent) <
         std::pair(right->kind, right->dial_percent);
}

int HeatOf(double slow_down) {
  return static_cast<int>(
      std::count_if(kHeatFrom.begin(), kHeatFrom.end(),
                    [slow_down](double from) { return slow_down >= from; }));
}

std::string MatrixText(const ContendMatrix& matrix, const TextStyle& style) {
  if (matrix.columns.empty()) {
    return "";
  }
  const Table table = MatrixTable(matrix, false, style);
  return TextTable(TextTableWidth(table, 2) <= style.width
                       ? table
                       : MatrixTable(matrix, true, style),
                   style, 2);
}

std::string MatrixSvg(const ContendMatrix& matrix) {
  HeatMap map;
  map.title = "What neighbours cost";
  map.note = "p50 of each row's items beside each column, over alone";
  map.rows = matrix.rows;
  map.columns = matrix.columns;
  for (size_t row = 0; row < matrix.rows.size(); ++row) {
    std::vector<HeatCell> cells;
    for (size_t column = 0; column < matrix.columns.size(); ++column) {
      cells.push_back(MapCell(
          matrix.rows[row] + " beside " + matrix.columns[column] + ": p50 × ",
          matrix.cells[row][column]));
    }
    map.cells.push_back(std::move(cells));
  }
  return HeatMapSvg(map);
}

std::string SensitivitySvg(const ContendReport& report,
                           const std::string& app) {
  SvgChart chart;
  chart.title = app + " under pressure";
  chart.note = "p50 over alone, with 95% intervals";
  chart.x_unit = "dial of the stressor, %";
  chart.y_unit = "×";
  std::vector<double> values{1};
  for (const StressKind kind : kStressKinds) {
    std::vector<std::pair<double, const SlowDown*>> points;
    for (const SlowDown& each : report.slow_downs) {
      const auto spec = each.actor == app && each.beside.size() == 1
                            ? ParseStressSpec(each.beside.front())
                            : Result<StressSpec>(Error{});
      if (spec && spec->kind == kind && each.p50.ratio) {
        points.emplace_back(spec->dial_percent, &each);
      }
    }
    if (points.empty()) {
      continue;
    }
    std::sort(points.begin(), points.end());
    ChartLine line{std::string(StressKindName(kind)), {{0, 1}}, false};
    SvgPicture::Points low{{0, 1}};
    SvgPicture::Points high{{0, 1}};
    for (const auto& [dial, point] : points) {
      const double ratio = *point->p50.ratio;
      line.points.emplace_back(dial, ratio);
      low.emplace_back(dial, point->p50.low.value_or(ratio));
      high.emplace_back(dial, point->p50.high.value_or(ratio));
      values.push_back(low.back().second);
      values.push_back(high.back().second);
    }
    ChartBand band{low};
    band.outline.insert(band.outline.end(), high.rbegin(), high.rend());
    chart.bands.push_back(std::move(band));
    chart.lines.push_back(std::move(line));
  }
  if (chart.lines.empty()) {
    return "";
  }
  chart.x = {0, 100, false};
  chart.y = AxisFor(values, false, false);
  return DrawChart(chart);
}

}  // namespace edgewise
