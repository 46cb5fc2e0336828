// The totals of a Run that are compared and averaged, as one list.
#ifndef EDGEWISE_STORE_TOTALS_H_
#define EDGEWISE_STORE_TOTALS_H_

#include <optional>
#include <span>
#include <string_view>

#include "store/run.h"

namespace edgewise {

struct TotalFigure {
  std::string_view name;
  std::string_view unit;  // "s", "bytes", "J", ""
  // More of it is a regression; counts such as switches only explain one.
  bool decides = false;
  std::optional<double> (*read)(const Totals& totals);
};

std::span<const TotalFigure> TotalFigures();

// User and system time together; nullopt unless both are known.
std::optional<double> CpuSeconds(const Totals& totals);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_TOTALS_H_
