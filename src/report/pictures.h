// Small pictures for the terminal: a sparkline and a horizontal histogram.
#ifndef EDGEWISE_REPORT_PICTURES_H_
#define EDGEWISE_REPORT_PICTURES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/table.h"

namespace edgewise {

// `values`, equally spaced in time, in at most `width` columns; each column is
// the mean of its share of them, drawn on a scale from 0 (or the least value,
// where that is negative) to the largest. Values that are not finite are left
// out. Empty without values.
std::string Sparkline(std::span<const double> values, int width,
                      const TextStyle& style);

struct Bar {
  std::string label;
  int64_t count = 0;
};

// One line per bar: label, count, bar. The bar of the largest count ends at the
// width of `style` (60 columns at most), and no count above 0 is without a
// mark. Empty if all counts are 0.
std::string BarChart(const std::vector<Bar>& bars, const TextStyle& style,
                     int indent = 0);

// A share from 0 to 1 as a bar of at most `width` columns; a share above 0 has
// a mark.
std::string ShareBar(double share, int width);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_PICTURES_H_
