// Doing work at a rate: in slices of 10 ms, resting for what is left of each.
#ifndef EDGEWISE_STRESS_PACE_H_
#define EDGEWISE_STRESS_PACE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>

namespace edgewise {

// Until when to go on. Safe to share between threads; `cancelled` may be set
// from a signal handler, and must outlive it.
class StopClock {
 public:
  explicit StopClock(const std::atomic<bool>& cancelled,
                     int64_t deadline_ns = std::numeric_limits<int64_t>::max())
      : cancelled_(&cancelled), deadline_ns_(deadline_ns) {}

  bool Over() const;
  int64_t deadline_ns() const { return deadline_ns_; }
  // The same, but over after `ns` from now at the latest.
  StopClock Within(int64_t ns) const;
  // Sleeps until then, but not beyond the end by more than a slice.
  void SleepUntil(int64_t monotonic_ns) const;

 private:
  const std::atomic<bool>* cancelled_;
  int64_t deadline_ns_;
};

// Calls `piece`, which does a little work (well below 1 ms) and returns how
// much, so that it comes to `per_s` each second; if that is infinite
// there is no rest. A slice that could not do its share is not made up for
// later. A negative answer ends it. Returns the amount done.
double DoAtRate(const StopClock& stop, double per_s,
                const std::function<double()>& piece);

}  // namespace edgewise

#endif  // EDGEWISE_STRESS_PACE_H_
