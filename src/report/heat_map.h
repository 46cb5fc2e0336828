// A picture of rows by columns, each cell warmer the worse it is.
#ifndef EDGEWISE_REPORT_HEAT_MAP_H_
#define EDGEWISE_REPORT_HEAT_MAP_H_

#include <optional>
#include <string>
#include <vector>

namespace edgewise {

// Shades there are, from 0: nothing to speak of.
inline constexpr int kHeats = 5;

struct HeatCell {
  std::vector<std::string> lines;  // what stands in it
  std::string tip;                 // when pointed at
  std::optional<int> heat;         // nullopt: not known
};

struct HeatMap {
  std::string title;
  std::string note;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<HeatCell>> cells;  // [row][column]
  double cell_width = 84;
};

// An SVG document. Names are shortened to what fits.
std::string HeatMapSvg(const HeatMap& map);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_HEAT_MAP_H_
