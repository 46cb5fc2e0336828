#include "report/heat_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/svg.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr double kLeft = 140;
constexpr double kTop = 88;
constexpr double kMargin = 20;
constexpr double kLeastWidth = 420;
constexpr double kLineHeight = 16;
constexpr double kColumnWidth = 6.5;  // of a character
constexpr int kNameColumns = 18;

// The most lines that a cell has.
size_t LinesOf(const HeatMap& map) {
  size_t lines = 1;
  for (const auto& row : map.cells) {
    for (const HeatCell& cell : row) {
      lines = std::max(lines, cell.lines.size());
    }
  }
  return lines;
}

}  // namespace

std::string HeatMapSvg(const HeatMap& map) {
  const double cell_height =
      18 + kLineHeight * static_cast<double>(LinesOf(map));
  const double width = std::max(
      kLeastWidth,
      kLeft + map.cell_width * static_cast<double>(map.columns.size()) +
          kMargin);
  const double height =
      kTop + cell_height * static_cast<double>(map.rows.size()) + kMargin;
  SvgPicture picture(width, height, map.title);
  picture.Text(16, 24, Anchor::kStart, map.title, "ink title");
  picture.Text(16, 44, Anchor::kStart, map.note, "faint");
  const auto head_columns = static_cast<int>(map.cell_width / kColumnWidth);
  for (size_t column = 0; column < map.columns.size(); ++column) {
    picture.Text(kLeft + map.cell_width * (static_cast<double>(column) + 0.5),
                 kTop - 10, Anchor::kMiddle,
                 FitWidth(Printable(map.columns[column]), head_columns), "ink");
  }
  for (size_t row = 0; row < map.rows.size(); ++row) {
    const double y = kTop + cell_height * static_cast<double>(row);
    picture.Text(kLeft - 10, y + cell_height / 2 + 4, Anchor::kEnd,
                 FitWidth(Printable(map.rows[row]), kNameColumns), "ink");
    for (size_t column = 0; column < map.columns.size(); ++column) {
      const HeatCell& cell = map.cells[row][column];
      const double x = kLeft + map.cell_width * static_cast<double>(column);
      picture.BeginGroup(cell.tip);
      picture.Rect(x + 1, y + 1, map.cell_width - 2, cell_height - 2,
                   cell.heat ? fmt::format("heat{}", *cell.heat) : "kind4");
      double line_y =
          y + cell_height / 2 + 4 -
          kLineHeight * (static_cast<double>(cell.lines.size()) - 1) / 2;
      for (const std::string& line : cell.lines) {
        picture.Text(x + map.cell_width / 2, line_y, Anchor::kMiddle, line,
                     "dark");
        line_y += kLineHeight;
      }
      picture.EndGroup();
    }
  }
  return picture.text();
}

}  // namespace edgewise
