#include "probes/slow_clock.h"

#include <algorithm>
#include <limits>

#include "base/clock.h"

namespace edgewise {
namespace {

// After the first look.
constexpr int64_t kEarlyNs[] = {20 * kNsPerMs, 50 * kNsPerMs, 100 * kNsPerMs,
                                200 * kNsPerMs, 400 * kNsPerMs};
constexpr double kEarlyShareFactor = 10;

// How long to pause so that `cost_ns` is `share` of the time; a century at
// most.
int64_t PauseNs(int64_t cost_ns, double share) {
  constexpr double kMostNs = 3e18;
  return static_cast<int64_t>(std::min(
      static_cast<double>(std::max<int64_t>(cost_ns, 0)) / share, kMostNs));
}

}  // namespace

SlowClock::SlowClock(int64_t interval_ns, double most_share)
    : interval_ns_(interval_ns), most_share_(most_share) {}

bool SlowClock::Due(int64_t now_ns) const {
  return !first_ns_ || now_ns >= next_ns_;
}

void SlowClock::Looked(int64_t now_ns, int64_t cost_ns) {
  if (!first_ns_) {
    first_ns_ = now_ns;
  }
  const int64_t elapsed_ns = now_ns - *first_ns_;
  int64_t pause_ns = std::max(interval_ns_, PauseNs(cost_ns, most_share_));
  const int64_t early_pause_ns =
      PauseNs(cost_ns, most_share_ * kEarlyShareFactor);
  for (const int64_t early_ns : kEarlyNs) {
    if (early_ns > elapsed_ns && early_ns - elapsed_ns >= early_pause_ns) {
      pause_ns = std::min(pause_ns, early_ns - elapsed_ns);
      break;
    }
  }
  next_ns_ = now_ns > std::numeric_limits<int64_t>::max() - pause_ns
                 ? std::numeric_limits<int64_t>::max()
                 : now_ns + pause_ns;
}

}  // namespace edgewise
