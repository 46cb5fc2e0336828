#include "report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/units.h"

namespace edgewise {

std::string Figure(double value) {
  if (!std::isfinite(value)) {
    return std::string(kUnknown);
  }
  const double magnitude = std::fabs(value);
  if (magnitude == 0) {
    return "0";
  }
  if (magnitude >= 999.5) {
    if (magnitude >= 1e15) {
      return fmt::format("{:.2e}", value);
    }
    return FormatCount(std::llround(value));
  }
  if (magnitude < 1e-4) {
    return fmt::format("{:.2e}", value);
  }
  // Rounding may carry into the next power of ten: 9.996 is "10.0".
  const double carried = magnitude * (1 + 5e-4);
  const int decimals =
      std::max(0, 2 - static_cast<int>(std::floor(std::log10(carried))));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string SecondsText(std::optional<double> seconds) {
  if (!seconds) {
    return std::string(kUnknown);
  }
  return *seconds == 0 ? "0 s" : FormatDuration(*seconds * 1e9);
}

std::string BytesText(std::optional<int64_t> bytes) {
  return bytes ? FormatBytes(static_cast<double>(*bytes))
               : std::string(kUnknown);
}

std::string CountText(std::optional<int64_t> count) {
  return count ? FormatCount(*count) : std::string(kUnknown);
}

std::string PercentText(std::optional<double> percent) {
  if (!percent || !std::isfinite(*percent)) {
    return std::string(kUnknown);
  }
  return Figure(*percent) + "%";
}

std::string ScaledText(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) {
    return std::string(kUnknown);
  }
  static constexpr std::array<std::string_view, 5> kPrefixes{"", "k", "M", "G",
                                                             "T"};
  double scaled = *value;
  size_t prefix = 0;
  while (std::fabs(scaled) >= 999.5 && prefix + 1 < kPrefixes.size()) {
    scaled /= 1000;
    ++prefix;
  }
  const bool whole = prefix == 0 && scaled == std::floor(scaled);
  const std::string digits =
      whole ? fmt::format("{:.0f}", scaled) : Figure(scaled);
  return prefix == 0 ? digits : fmt::format("{} {}", digits, kPrefixes[prefix]);
}

DurationUnit UnitFor(double typical_ns) {
  const double magnitude = std::fabs(typical_ns);
  if (magnitude < 1e3) {
    return {"ns", 1};
  }
  if (magnitude < 1e6) {
    return {"µs", 1e3};
  }
  if (magnitude < 10e9) {
    return {"ms", 1e6};
  }
  return {"s", 1e9};
}

std::string SignalName(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name
                         : "signal " + std::to_string(signal);
}

}  // namespace edgewise
