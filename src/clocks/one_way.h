// How long a message took from one clock to another.
#ifndef EDGEWISE_CLOCKS_ONE_WAY_H_
#define EDGEWISE_CLOCKS_ONE_WAY_H_

#include <cstdint>
#include <optional>
#include <string>

#include "clocks/offset.h"

namespace edgewise::clocks {

struct OneWay {
  int64_t latency_ns = 0;
  int64_t bound_ns = 0;  // the truth is within latency ± bound
  // Set if the latency is negative: why that may be, or what is wrong.
  std::optional<std::string> explanation;
};

// Both moments are on the same (local) clock; a bound of 0 means that they were
// read there.
OneWay Between(const Moment& sent, const Moment& received);

// "1.2 ms ±80 µs", a negative one with its explanation; "1.2 ms" if both times
// were read on one clock.
std::string FormatOneWay(const OneWay& one_way);

}  // namespace edgewise::clocks

#endif  // EDGEWISE_CLOCKS_ONE_WAY_H_
