// One question and answer between two clocks, as in NTP.
#ifndef EDGEWISE_CLOCKS_EXCHANGE_H_
#define EDGEWISE_CLOCKS_EXCHANGE_H_

#include <cstdint>

namespace edgewise::clocks {

// Nanoseconds; t0 and t3 on the local clock, t1 and t2 on the remote one.
struct Exchange {
  int64_t t0_ns = 0;  // the question was sent
  int64_t t1_ns = 0;  // it was received
  int64_t t2_ns = 0;  // the answer was sent
  int64_t t3_ns = 0;  // it was received

  // Time spent on the way, both ways together.
  int64_t round_trip_ns() const { return (t3_ns - t0_ns) - (t2_ns - t1_ns); }
  bool operator==(const Exchange&) const = default;
};

}  // namespace edgewise::clocks

#endif  // EDGEWISE_CLOCKS_EXCHANGE_H_
