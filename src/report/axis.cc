#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace edgewise {
namespace {

// Half a step outside counts as on the axis: sums of steps are not exact.
constexpr double kSlack = 1e-9;

std::vector<double> LinearTicks(const Axis& axis, size_t most) {
  const double span = axis.high - axis.low;
  const double power =
      std::pow(10, std::floor(std::log10(span / static_cast<double>(most))));
  for (const double multiple : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0}) {
    const double step = multiple * power;
    const double first = std::ceil(axis.low / step - kSlack);
    const double last = std::floor(axis.high / step + kSlack);
    if (last - first + 1 > static_cast<double>(most)) {
      continue;
    }
    std::vector<double> ticks;
    for (double i = first; i <= last; ++i) {
      ticks.push_back(i * step + 0.0);  // -0 becomes 0
    }
    return ticks;
  }
  return {axis.low, axis.high};
}

std::vector<double> LogTicks(const Axis& axis, size_t most) {
  const double first = std::floor(std::log10(axis.low));
  const double last = std::ceil(std::log10(axis.high));
  const auto collect = [&](std::initializer_list<double> multiples,
                           double every) {
    std::vector<double> ticks;
    for (double power = std::ceil(first / every) * every; power <= last;
         power += every) {
      for (const double multiple : multiples) {
        const double tick = multiple * std::pow(10, power);
        if (tick >= axis.low * (1 - kSlack) &&
            tick <= axis.high * (1 + kSlack)) {
          ticks.push_back(tick);
        }
      }
    }
    return ticks;
  };
  if (auto ticks = collect({1, 2, 5}, 1); ticks.size() <= most) {
    // Less than a decade reads better with the ticks of a linear axis.
    return ticks.size() >= 2 ? ticks : LinearTicks(axis, most);
  }
  for (double every = 1;; every *= 2) {
    if (auto ticks = collect({1}, every); ticks.size() <= most) {
      return ticks;
    }
  }
}

}  // namespace

Axis AxisFor(std::span<const double> values, bool from_zero, bool logarithmic) {
  double low = 0;
  double high = 0;
  bool any = false;
  for (const double value : values) {
    if (std::isfinite(value)) {
      low = any ? std::min(low, value) : value;
      high = any ? std::max(high, value) : value;
      any = true;
    }
  }
  Axis axis;
  if (!any) {
    return axis;
  }
  axis.logarithmic = logarithmic && low > 0;
  axis.low = from_zero && !axis.logarithmic ? std::min(low, 0.0) : low;
  axis.high = high;
  if (!(axis.low < axis.high)) {
    // One value: some room around it.
    const double room = axis.high != 0 ? std::abs(axis.high) * 0.1 : 1;
    axis.low = axis.logarithmic ? axis.low / 1.1 : axis.low - room;
    axis.high += room;
  }
  return axis;
}

double PlaceOn(const Axis& axis, double value) {
  if (axis.logarithmic) {
    return std::log(std::max(value, axis.low) / axis.low) /
           std::log(axis.high / axis.low);
  }
  // Halves, because high - low may exceed the largest double.
  return (value / 2 - axis.low / 2) / (axis.high / 2 - axis.low / 2);
}

std::vector<double> TicksOf(const Axis& axis, size_t most) {
  assert(most >= 2 && axis.low < axis.high);
  return axis.logarithmic ? LogTicks(axis, most) : LinearTicks(axis, most);
}

std::string TickText(double value) {
  const double size = std::abs(value);
  if (size >= 1e4 && size < 1e15) {
    return fmt::format("{:.3g}{}",
                       size >= 1e9   ? value / 1e9
                       : size >= 1e6 ? value / 1e6
                                     : value / 1e3,
                       size >= 1e9   ? "G"
                       : size >= 1e6 ? "M"
                                     : "k");
  }
  return fmt::format("{:.6g}", value);
}

}  // namespace edgewise
