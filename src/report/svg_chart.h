// Lines, areas and bands between two axes, as SVG.
#ifndef EDGEWISE_REPORT_SVG_CHART_H_
#define EDGEWISE_REPORT_SVG_CHART_H_

#include <string>
#include <vector>

#include "report/axis.h"
#include "report/svg.h"

namespace edgewise {

struct ChartLine {
  std::string label;  // for the legend; empty: not in it
  SvgPicture::Points points;
  bool filled = false;  // down to the low end of the y axis
};

// The area between two lines, in the colour of the line of the same number.
struct ChartBand {
  SvgPicture::Points outline;  // closed
};

struct SvgChart {
  std::string title;
  std::string note;  // under the title
  std::string x_unit;
  std::string y_unit;
  Axis x;
  Axis y;
  std::vector<ChartBand> bands;
  std::vector<ChartLine> lines;  // six colours, then again
};

std::string DrawChart(const SvgChart& chart);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_SVG_CHART_H_
