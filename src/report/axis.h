// An axis of a chart: where a value lies on it, and where its ticks are.
#ifndef EDGEWISE_REPORT_AXIS_H_
#define EDGEWISE_REPORT_AXIS_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace edgewise {

struct Axis {
  double low = 0;
  double high = 1;           // above low
  bool logarithmic = false;  // low is above 0 then
};

// An axis on which all finite `values` lie. `from_zero` makes it begin at 0
// where none is negative; `logarithmic` is taken only where all are positive.
Axis AxisFor(std::span<const double> values, bool from_zero, bool logarithmic);

// 0 at the low end, 1 at the high one.
double PlaceOn(const Axis& axis, double value);

// At most `most` >= 2 round values on the axis, ascending: multiples of 1, 2 or
// 5 times a power of ten; powers of ten where the axis is logarithmic and long.
std::vector<double> TicksOf(const Axis& axis, size_t most);

// A tick as it is written beside the axis: "20", "0.05", "15k", "2.5M".
std::string TickText(double value);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_AXIS_H_
