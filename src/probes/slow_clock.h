// SlowClock: when the expensive part of a look is due.
//
// Pure arithmetic. Short programs need detail early, long ones must not pay for
// it: the first looks come some milliseconds apart, then one per interval, and
// all of them more rarely if they would take too large a share of the time.
#ifndef EDGEWISE_PROBES_SLOW_CLOCK_H_
#define EDGEWISE_PROBES_SLOW_CLOCK_H_

#include <cstdint>
#include <optional>

namespace edgewise {

class SlowClock {
 public:
  // The looks after the early ones are at least `interval_ns` apart and take at
  // most `most_share` of the time; the few early ones may take ten times that.
  SlowClock(int64_t interval_ns, double most_share);

  // Always due at first.
  bool Due(int64_t now_ns) const;
  // A look was taken and took `cost_ns` of CPU time.
  void Looked(int64_t now_ns, int64_t cost_ns);

 private:
  int64_t interval_ns_;
  double most_share_;
  std::optional<int64_t> first_ns_;
  int64_t next_ns_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_SLOW_CLOCK_H_
