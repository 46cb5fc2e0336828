// Durations, sizes, clocks and CPU lists as people write them, both ways.
#ifndef EDGEWISE_BASE_UNITS_H_
#define EDGEWISE_BASE_UNITS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

// "30s", "100ms", "1.5h", "2m", "250us", "10ns", "30d"; a plain number is
// seconds. Must be positive and fit 64-bit nanoseconds.
Result<int64_t> ParseDurationNs(std::string_view text);
// "210Mi", "8GiB", "64KiB", "1000k", "1MB", "512"; at least 1.
Result<int64_t> ParseBytes(std::string_view text);
// "0", "0-3", "0,2-3"; sorted, without duplicates, never empty.
Result<std::vector<int>> ParseCpuList(std::string_view text);
// "0-1,3".
std::string FormatCpuList(const std::vector<int>& cpus);
// A CPU quota in cores: "0.5", "50%", "350m" (Kubernetes millicores).
Result<double> ParseCpuQuota(std::string_view text);
// "600MHz", "1.2GHz", "600000kHz"; a number without a unit is refused, because
// people mean different ones. At least 1 kHz.
Result<int64_t> ParseFrequencyKhz(std::string_view text);

// "1.23 ms", "45.6 us", "12.3 s", "2 min 5 s"; three significant digits.
std::string FormatDuration(double ns);
// "12.3 MiB".
std::string FormatBytes(double bytes);
// "600 MHz", "1.2 GHz"; four significant digits.
std::string FormatFrequency(double khz);
// "1,234,567".
std::string FormatCount(int64_t count);
// "1 span", "1,234 spans"; for nouns whose plural ends in s.
std::string FormatCount(int64_t count, std::string_view noun);

// Nanoseconds as milliseconds, exactly and without a unit, for files: "12.5",
// "0.000001".
std::string FormatMs(int64_t ns);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_UNITS_H_
