// What pressure is asked for, as people write it: "cache:50".
#ifndef EDGEWISE_STRESS_STRESS_SPEC_H_
#define EDGEWISE_STRESS_STRESS_SPEC_H_

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise {

enum class StressKind { kCpu, kCache, kBandwidth, kMemory, kDisk, kNetwork };

inline constexpr std::array<StressKind, 6> kStressKinds{
    StressKind::kCpu,    StressKind::kCache, StressKind::kBandwidth,
    StressKind::kMemory, StressKind::kDisk,  StressKind::kNetwork};

// "cpu", "cache", "bandwidth", "memory", "disk", "network".
std::string_view StressKindName(StressKind kind);
// The resource in words, for sentences: "memory bandwidth".
std::string_view StressKindText(StressKind kind);

struct StressSpec {
  StressKind kind = StressKind::kCpu;
  double dial_percent = 100;  // 0 is idle

  bool operator==(const StressSpec&) const = default;
};

// "KIND" or "KIND:DIAL" with a dial from 0 to 100, a percent sign allowed. The
// error lists the kinds, or says what a dial is.
Result<StressSpec> ParseStressSpec(std::string_view text);
Result<StressKind> ParseStressKind(std::string_view text);
// "cache:50".
std::string FormatStressSpec(const StressSpec& spec);

}  // namespace edgewise

#endif  // EDGEWISE_STRESS_STRESS_SPEC_H_
