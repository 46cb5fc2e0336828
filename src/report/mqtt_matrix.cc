#include "report/mqtt_matrix.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/units.h"
#include "report/figures.h"
#include "report/heat_map.h"
#include "report/interval_text.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

using mqtt::PipelineCell;
using mqtt::Stage;

// From how many times the best p99 on a cell is that warm.
constexpr std::array<double, kHeats - 1> kHeatFrom{1.5, 3, 10, 100};

size_t PlaceOf(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) {
    return static_cast<size_t>(found - names.begin());
  }
  names.push_back(name);
  return names.size() - 1;
}

const mqtt::StageFigures* TotalOf(const PipelineCell* cell) {
  if (cell == nullptr) {
    return nullptr;
  }
  const auto* const total = cell->Find(Stage::kTotal);
  return total != nullptr ? total : cell->Find(Stage::kNaive);
}

std::optional<double> P99Of(const PipelineCell* cell) {
  const auto* const total = TotalOf(cell);
  return total != nullptr && total->ns.p99 ? std::optional(total->ns.p99->value)
                                           : std::nullopt;
}

int HeatOf(const PipelineCell* cell, double best_ns) {
  const auto p99 = P99Of(cell);
  int heat = 0;
  for (const double from : kHeatFrom) {
    heat += p99 && *p99 >= from * best_ns ? 1 : 0;
  }
  return heat;
}

double BestOf(const MqttMatrix& matrix) {
  double best = std::numeric_limits<double>::max();
  for (const auto& row : matrix.cells) {
    for (const PipelineCell* cell : row) {
      best = std::min(best, P99Of(cell).value_or(best));
    }
  }
  return best;
}

std::string Latency(const PipelineCell* cell) {
  const auto* const total = TotalOf(cell);
  if (total == nullptr || !total->ns.p50) {
    return std::string(kUnknown);
  }
  return MsText(total->ns.p50->value) + " / " +
         (total->ns.p99 ? MsText(total->ns.p99->value) : std::string(kUnknown));
}

std::string Lost(const PipelineCell* cell) {
  return cell == nullptr || !cell->account.lost
             ? std::string(kUnknown)
             : FormatCount(*cell->account.lost) + " lost";
}

}  // namespace

MqttMatrix MqttMatrixOf(const mqtt::PipelineReport& report) {
  MqttMatrix matrix;
  std::vector<std::string> columns;
  for (const PipelineCell& cell : report.cells) {
    (void)PlaceOf(columns, cell.impairment);
    (void)PlaceOf(matrix.rows, "QoS " + cell.qos + ", " + cell.payload);
  }
  if (columns.size() < 2) {
    return {};
  }
  matrix.columns = std::move(columns);
  matrix.cells.assign(matrix.rows.size(), std::vector<const PipelineCell*>(
                                              matrix.columns.size(), nullptr));
  for (const PipelineCell& cell : report.cells) {
    matrix.cells[PlaceOf(matrix.rows, "QoS " + cell.qos + ", " + cell.payload)]
                [PlaceOf(matrix.columns, cell.impairment)] = &cell;
  }
  return matrix;
}

Table MqttMatrixTable(const MqttMatrix& matrix) {
  Table table{{{"total p50 / p99, ms", false}}, {}};
  for (const std::string& column : matrix.columns) {
    table.columns.push_back({Printable(column)});
  }
  if (matrix.columns.empty()) {
    return table;
  }
  const double best = BestOf(matrix);
  for (size_t row = 0; row < matrix.rows.size(); ++row) {
    std::vector<Cell> cells{{Printable(matrix.rows[row]), Tone::kStrong}};
    for (const PipelineCell* cell : matrix.cells[row]) {
      const int heat = HeatOf(cell, best);
      cells.push_back({Latency(cell) + ", " + Lost(cell), heat >= 3 ? Tone::kBad
                                                          : heat >= 2
                                                              ? Tone::kWarning
                                                              : Tone::kPlain});
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string MqttMatrixSvg(const MqttMatrix& matrix) {
  if (matrix.columns.empty()) {
    return "";
  }
  HeatMap map;
  map.title = "QoS and impairments";
  map.note =
      "total from when messages were due: p50 / p99 in ms; the warmer the "
      "longer p99";
  map.rows = matrix.rows;
  map.columns = matrix.columns;
  map.cell_width = 170;
  const double best = BestOf(matrix);
  for (size_t row = 0; row < matrix.rows.size(); ++row) {
    std::vector<HeatCell> cells;
    for (size_t column = 0; column < matrix.columns.size(); ++column) {
      const PipelineCell* const measured = matrix.cells[row][column];
      HeatCell cell{{Latency(measured), Lost(measured)},
                    matrix.rows[row] + ", " + matrix.columns[column] + ": " +
                        Latency(measured) + " ms, " + Lost(measured),
                    {}};
      if (P99Of(measured)) {
        cell.heat = HeatOf(measured, best);
      }
      cells.push_back(std::move(cell));
    }
    map.cells.push_back(std::move(cells));
  }
  return HeatMapSvg(map);
}

}  // namespace edgewise
