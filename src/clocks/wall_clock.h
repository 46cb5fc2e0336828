// The clock that times of messages between hosts are read from.
#ifndef EDGEWISE_CLOCKS_WALL_CLOCK_H_
#define EDGEWISE_CLOCKS_WALL_CLOCK_H_

#include <cstdint>

#include "base/result.h"

namespace edgewise::clocks {

// UTC when it was made, from then on at the pace of CLOCK_MONOTONIC: setting
// the system's clock during a measurement does not disturb it.
//
// For tests of what wrong clocks do, $EDGEWISE_CLOCK_SKEW_NS (added) and
// $EDGEWISE_CLOCK_DRIFT_PPM (faster by) make this clock wrong.
//
// Immutable, so thread-safe.
class WallClock {
 public:
  // kInvalid if one of the variables is not a number.
  static Result<WallClock> FromEnvironment();
  explicit WallClock(int64_t skew_ns = 0, double drift_ppm = 0);

  int64_t NowNs() const;
  // What it showed, or will show, at a time of CLOCK_MONOTONIC.
  int64_t At(int64_t monotonic_ns) const;
  bool wrong_on_purpose() const { return wrong_; }

 private:
  int64_t monotonic_start_ns_ = 0;
  int64_t utc_start_ns_ = 0;
  double drift_ = 0;
  bool wrong_ = false;
};

}  // namespace edgewise::clocks

#endif  // EDGEWISE_CLOCKS_WALL_CLOCK_H_
