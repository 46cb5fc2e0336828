// Measured points with interval bars, and curves fitted to them, as SVG: what
// experiments show (throughput over cores, latency over precision).
#ifndef EDGEWISE_REPORT_CURVE_CHART_H_
#define EDGEWISE_REPORT_CURVE_CHART_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace edgewise {

struct CurvePoint {
  double x = 0;  // with CurveChart::labels: the number of the label
  double y = 0;
  // Ends of the interval, each absent where it is not known.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  std::string tooltip = {};  // empty: the figures
};

struct CurveSeries {
  std::string name;  // for the legend; empty: not in it
  std::vector<CurvePoint> points;
  // A fitted law or a limit, drawn dashed, through (x, y) in the order of x.
  // Without one the points are joined where the x axis has numbers.
  std::vector<std::pair<double, double>> line;
  bool joined = true;  // false: no line from point to point
};

struct CurveChart {
  std::string title;
  std::string note;    // under the title; empty: none
  std::string x_name;  // "cores"
  std::string y_name;  // "throughput"
  std::string y_unit;  // "fps"; empty: none
  // Taken only where all x are above 0.
  bool x_is_log = false;
  bool y_is_log = false;
  bool y_from_zero = true;  // where no y is negative, and y is not log
  // Words in place of numbers on the x axis, such as "fp32", "int8"; series
  // then stand side by side.
  std::vector<std::string> labels;
  std::vector<CurveSeries> series;  // six colours, then again
};

// An SVG that stands alone or within a page. What is not finite is left out.
std::string DrawCurves(const CurveChart& chart);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CURVE_CHART_H_
