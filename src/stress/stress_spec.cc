#include "stress/stress_spec.h"

#include <charconv>
#include <vector>

#include "base/nearest.h"
#include "base/text.h"

namespace edgewise {

std::string_view StressKindName(StressKind kind) {
  switch (kind) {
    case StressKind::kCpu:
      return "cpu";
    case StressKind::kCache:
      return "cache";
    case StressKind::kBandwidth:
      return "bandwidth";
    case StressKind::kMemory:
      return "memory";
    case StressKind::kDisk:
      return "disk";
    case StressKind::kNetwork:
      return "network";
  }
  return "";
}

std::string_view StressKindText(StressKind kind) {
  switch (kind) {
    case StressKind::kCpu:
      return "CPU";
    case StressKind::kCache:
      return "last-level cache";
    case StressKind::kBandwidth:
      return "memory bandwidth";
    case StressKind::kMemory:
      return "memory capacity";
    case StressKind::kDisk:
      return "block I/O";
    case StressKind::kNetwork:
      return "network";
  }
  return "";
}

Result<StressKind> ParseStressKind(std::string_view text) {
  std::vector<std::string> names;
  for (const StressKind kind : kStressKinds) {
    if (text == StressKindName(kind)) {
      return kind;
    }
    names.emplace_back(StressKindName(kind));
  }
  const auto meant = Nearest(text, names);
  return Error{ErrorCode::kInvalid,
               "there is no stressor \"" + std::string(text) + "\"" +
                   (meant ? ": did you mean " + *meant + "?"
                          : ": choose from " + Join(names, ", "))};
}

Result<StressSpec> ParseStressSpec(std::string_view text) {
  const size_t colon = text.find(':');
  const auto kind = ParseStressKind(text.substr(0, colon));
  if (!kind) {
    return kind.error();
  }
  StressSpec spec{*kind};
  if (colon == std::string_view::npos) {
    return spec;
  }
  std::string_view dial = text.substr(colon + 1);
  if (dial.ends_with('%')) {
    dial.remove_suffix(1);
  }
  const auto percent = ParseDouble(dial);
  if (!percent || !(*percent >= 0) || !(*percent <= 100)) {
    return Error{ErrorCode::kInvalid,
                 "\"" + std::string(text) +
                     "\": the dial must be a number from 0 (idle) to 100, as "
                     "in " +
                     std::string(StressKindName(*kind)) + ":50"};
  }
  spec.dial_percent = *percent;
  return spec;
}

std::string FormatStressSpec(const StressSpec& spec) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 spec.dial_percent);
  return std::string(StressKindName(spec.kind)) + ":" +
         std::string(digits.data(), end.ptr);
}

}  // namespace edgewise
