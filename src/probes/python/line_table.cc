#include "probes/python/line_table.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace edgewise::python {
namespace {

constexpr uint8_t kEntryStart = 0x80;
constexpr int kOneLineForm0 = 10;
constexpr int kOneLineForm2 = 12;
constexpr int kNoColumns = 13;
constexpr int kLong = 14;
constexpr int kNoLocation = 15;
constexpr uint8_t kMore = 0x40;
constexpr uint8_t kValueBits = 0x3f;
constexpr int kBitsAByte = 6;

// Takes one varint from the front of `rest`; it never crosses into the next
// entry. Bits beyond 32 are dropped.
uint32_t TakeVarint(std::string_view* rest) {
  uint32_t value = 0;
  int shift = 0;
  while (!rest->empty()) {
    const auto byte = static_cast<uint8_t>(rest->front());
    if ((byte & kEntryStart) != 0) {
      break;
    }
    rest->remove_prefix(1);
    if (shift < std::numeric_limits<uint32_t>::digits) {
      value |= static_cast<uint32_t>(byte & kValueBits) << shift;
    }
    shift += kBitsAByte;
    if ((byte & kMore) == 0) {
      break;
    }
  }
  return value;
}

int64_t TakeSignedVarint(std::string_view* rest) {
  const uint32_t value = TakeVarint(rest);
  const auto magnitude = static_cast<int64_t>(value >> 1);
  return (value & 1) != 0 ? -magnitude : magnitude;
}

void SkipToNextEntry(std::string_view* rest) {
  while (!rest->empty() &&
         (static_cast<uint8_t>(rest->front()) & kEntryStart) == 0) {
    rest->remove_prefix(1);
  }
}

}  // namespace

LineTable::LineTable(std::string_view bytes, int32_t first_line) {
  int64_t line = first_line;
  uint32_t unit = 0;
  while (!bytes.empty()) {
    const auto start = static_cast<uint8_t>(bytes.front());
    if ((start & kEntryStart) == 0) {
      break;
    }
    bytes.remove_prefix(1);
    const int code = (start >> 3) & 15;
    unit += (start & 7u) + 1;
    if (code == kNoColumns || code == kLong) {
      line += TakeSignedVarint(&bytes);
    } else if (code >= kOneLineForm0 && code <= kOneLineForm2) {
      line += code - kOneLineForm0;
    }
    SkipToNextEntry(&bytes);
    const bool known = code != kNoLocation && line > 0 &&
                       line <= std::numeric_limits<int32_t>::max();
    const int32_t shown = known ? static_cast<int32_t>(line) : 0;
    if (!runs_.empty() && runs_.back().line == shown) {
      runs_.back().end_unit = unit;
    } else {
      runs_.push_back({unit, shown});
    }
  }
  runs_.shrink_to_fit();
}

int32_t LineTable::LineAt(uint64_t unit) const {
  const auto run = std::upper_bound(
      runs_.begin(), runs_.end(), unit,
      [](uint64_t at, const Run& r) { return at < r.end_unit; });
  return run == runs_.end() ? 0 : run->line;
}

}  // namespace edgewise::python
