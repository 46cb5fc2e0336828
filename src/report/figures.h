// Single figures as people read them; unknown is "--", never 0.
#ifndef EDGEWISE_REPORT_FIGURES_H_
#define EDGEWISE_REPORT_FIGURES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace edgewise {

inline constexpr std::string_view kUnknown = "--";

// Three significant digits, trailing zeros kept so that columns line up:
// "24.0", "1.70", "0.0312", "1,234"; "0" for 0.
std::string Figure(double value);

std::string SecondsText(std::optional<double> seconds);
std::string BytesText(std::optional<int64_t> bytes);
std::string CountText(std::optional<int64_t> count);
// "45.1%" for 45.1.
std::string PercentText(std::optional<double> percent);
// "1.23 G" for 1.23e9: decimal multiples, for counters and frequencies.
std::string ScaledText(std::optional<double> value);

// One unit for a row of durations that belong together, chosen so that
// `typical_ns` reads well.
struct DurationUnit {
  std::string_view name;  // "ns", "µs", "ms", "s"
  double ns;
};
DurationUnit UnitFor(double typical_ns);

// "SIGSEGV" for 11; "signal 40" where there is no name.
std::string SignalName(int signal);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_FIGURES_H_
