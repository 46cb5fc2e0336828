#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/clock.h"
#include "base/text.h"

namespace edgewise {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

// The number and the unit that follows it, e.g. {1.5, "ms"}.
std::optional<std::pair<double, std::string_view>> SplitUnit(
    std::string_view text) {
  const size_t end =
      std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = ParseDouble(text.substr(0, end));
  if (!number) {
    return std::nullopt;
  }
  return std::pair(*number, Trim(text.substr(end)));
}

template <size_t N>
std::optional<double> FindFactor(const std::array<Unit, N>& units,
                                 std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) {
      return unit.factor;
    }
  }
  return std::nullopt;
}

Error Invalid(std::string_view what, std::string_view text,
              std::string_view hint) {
  return Error{ErrorCode::kInvalid,
               fmt::format("\"{}\" is not a {}: write {}", text, what, hint)};
}

constexpr double kMaxInt64 = 9.2e18;

}  // namespace

Result<int64_t> ParseDurationNs(std::string_view text) {
  static constexpr std::array<Unit, 14> kUnits{{{"ns", 1},
                                                {"us", 1e3},
                                                {"µs", 1e3},
                                                {"ms", 1e6},
                                                {"", 1e9},
                                                {"s", 1e9},
                                                {"sec", 1e9},
                                                {"m", 60e9},
                                                {"min", 60e9},
                                                {"h", 3600e9},
                                                {"hour", 3600e9},
                                                {"d", 86400e9},
                                                {"day", 86400e9},
                                                {"w", 7 * 86400e9}}};
  const auto parts = SplitUnit(Trim(text));
  const auto factor = parts ? FindFactor(kUnits, parts->second) : std::nullopt;
  if (!factor) {
    return Invalid("duration", text,
                   "a number and a unit such as 30s, 100ms, 5m or 2h");
  }
  const double ns = std::round(parts->first * *factor);
  if (!(ns >= 1) || ns > kMaxInt64) {
    return Invalid("usable duration", text,
                   "one that is longer than 0 and shorter than 290 years");
  }
  return static_cast<int64_t>(ns);
}

Result<int64_t> ParseBytes(std::string_view text) {
  static constexpr std::array<Unit, 17> kUnits{{{"", 1},
                                                {"B", 1},
                                                {"k", 1e3},
                                                {"kB", 1e3},
                                                {"K", 1024},
                                                {"Ki", 1024},
                                                {"KiB", 1024},
                                                {"M", 1e6},
                                                {"MB", 1e6},
                                                {"Mi", 1048576},
                                                {"MiB", 1048576},
                                                {"G", 1e9},
                                                {"GB", 1e9},
                                                {"Gi", 1073741824},
                                                {"GiB", 1073741824},
                                                {"Ti", 1099511627776},
                                                {"TiB", 1099511627776}}};
  const auto parts = SplitUnit(Trim(text));
  const auto factor = parts ? FindFactor(kUnits, parts->second) : std::nullopt;
  if (!factor) {
    return Invalid("size", text,
                   "a number and a unit such as 64KiB, 210Mi or 1.5GiB");
  }
  const double bytes = std::round(parts->first * *factor);
  if (!(bytes >= 1) || bytes > kMaxInt64) {
    return Invalid("usable size", text, "one of at least 1 byte, below 8 EiB");
  }
  return static_cast<int64_t>(bytes);
}

Result<std::vector<int>> ParseCpuList(std::string_view text) {
  constexpr int64_t kMaxCpu = 8191;
  const Error invalid =
      Invalid("CPU list", text, "core numbers such as 0, 0-3 or 0,2-3");
  std::vector<int> cpus;
  for (const std::string_view piece : Split(Trim(text), ',')) {
    const std::vector<std::string_view> ends = Split(Trim(piece), '-');
    const auto first = ParseInt(Trim(ends.front()));
    const auto last = ParseInt(Trim(ends.back()));
    if (ends.size() > 2 || !first || !last || *first < 0 || *last < *first ||
        *last > kMaxCpu) {
      return invalid;
    }
    for (int64_t cpu = *first; cpu <= *last; ++cpu) {
      cpus.push_back(static_cast<int>(cpu));
    }
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string FormatCpuList(const std::vector<int>& cpus) {
  std::string text;
  for (size_t i = 0; i < cpus.size();) {
    size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) {
      ++last;
    }
    if (!text.empty()) {
      text += ',';
    }
    text += std::to_string(cpus[i]);
    if (last > i) {
      text += '-' + std::to_string(cpus[last]);
    }
    i = last + 1;
  }
  return text;
}

Result<double> ParseCpuQuota(std::string_view text) {
  static constexpr std::array<Unit, 4> kUnits{
      {{"", 1}, {"%", 0.01}, {"m", 0.001}, {"cores", 1}}};
  const auto parts = SplitUnit(Trim(text));
  const auto factor = parts ? FindFactor(kUnits, parts->second) : std::nullopt;
  // The kernel refuses quotas below 1 ms in a 100 ms period.
  constexpr double kLeastCores = 0.01;
  if (!factor || !(parts->first * *factor >= kLeastCores) ||
      parts->first * *factor > 8192) {
    return Invalid("CPU quota", text,
                   "cores (0.5), percent of one core (50%) or millicores "
                   "(500m), at least 1%");
  }
  return parts->first * *factor;
}

Result<int64_t> ParseFrequencyKhz(std::string_view text) {
  static constexpr std::array<Unit, 6> kUnits{{{"kHz", 1},
                                               {"khz", 1},
                                               {"MHz", 1e3},
                                               {"mhz", 1e3},
                                               {"GHz", 1e6},
                                               {"ghz", 1e6}}};
  constexpr double kMostKhz = 1e9;  // 1 THz
  const auto parts = SplitUnit(Trim(text));
  const auto factor = parts ? FindFactor(kUnits, parts->second) : std::nullopt;
  const double khz = factor ? std::round(parts->first * *factor) : 0;
  if (!(khz >= 1) || khz > kMostKhz) {
    return Invalid("clock frequency", text,
                   "a number and a unit such as 600MHz or 1.2GHz");
  }
  return static_cast<int64_t>(khz);
}

std::string FormatDuration(double ns) {
  if (!std::isfinite(ns)) {
    return "--";
  }
  const double magnitude = std::fabs(ns);
  // 999.5 would round up to 1000 of the smaller unit.
  if (magnitude < 999.5) {
    return fmt::format("{:.3g} ns", ns);
  }
  if (magnitude < 999.5e3) {
    return fmt::format("{:.3g} µs", ns / 1e3);
  }
  if (magnitude < 999.5e6) {
    return fmt::format("{:.3g} ms", ns / 1e6);
  }
  if (magnitude < 99.95e9) {
    return fmt::format("{:.3g} s", ns / 1e9);
  }
  const auto seconds = static_cast<int64_t>(std::llround(ns / 1e9));
  if (magnitude < 3600e9) {
    return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  }
  return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

std::string FormatBytes(double bytes) {
  if (!std::isfinite(bytes)) {
    return "--";
  }
  static constexpr std::array<std::string_view, 5> kUnits{"B", "KiB", "MiB",
                                                          "GiB", "TiB"};
  size_t unit = 0;
  while (std::fabs(bytes) >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

std::string FormatFrequency(double khz) {
  if (!std::isfinite(khz)) {
    return "--";
  }
  // 999.95 would round up to 1000 of the smaller unit.
  if (khz < 999.95) {
    return fmt::format("{:.4g} kHz", khz);
  }
  return khz < 999.95e3 ? fmt::format("{:.4g} MHz", khz / 1e3)
                        : fmt::format("{:.4g} GHz", khz / 1e6);
}

std::string FormatCount(int64_t count) {
  std::string digits = std::to_string(count);
  const size_t sign = count < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > sign + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string FormatCount(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", FormatCount(count), noun,
                     count == 1 ? "" : "s");
}

std::string FormatMs(int64_t ns) {
  const bool negative = ns < 0;
  const uint64_t size = negative ? uint64_t{0} - static_cast<uint64_t>(ns)
                                 : static_cast<uint64_t>(ns);
  std::string text = fmt::format("{}{}.{:06}", negative ? "-" : "",
                                 size / 1'000'000, size % 1'000'000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') {
    text.pop_back();
  }
  return text;
}

}  // namespace edgewise
