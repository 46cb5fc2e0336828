#include "stress/pace.h"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"

namespace edgewise {
namespace {

constexpr int64_t kSliceNs = 10 * kNsPerMs;
constexpr int64_t kLookNs = 100 * kNsPerMs;

}  // namespace

bool StopClock::Over() const {
  return cancelled_->load(std::memory_order_relaxed) ||
         MonotonicNs() >= deadline_ns_;
}

StopClock StopClock::Within(int64_t ns) const {
  return StopClock(*cancelled_, std::min(deadline_ns_, MonotonicNs() + ns));
}

void StopClock::SleepUntil(int64_t monotonic_ns) const {
  while (!Over()) {
    const int64_t now_ns = MonotonicNs();
    const int64_t until_ns =
        std::min({monotonic_ns, deadline_ns_, now_ns + kLookNs});
    if (until_ns <= now_ns) {
      return;
    }
    const timespec until{static_cast<time_t>(until_ns / kNsPerSecond),
                         static_cast<long>(until_ns % kNsPerSecond)};
    // A signal ends the sleep; the loop looks whether it meant us.
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }
}

double DoAtRate(const StopClock& stop, double per_s,
                const std::function<double()>& piece) {
  double total = 0;
  if (!(per_s > 0)) {
    stop.SleepUntil(stop.deadline_ns());
    return total;
  }
  const double share = per_s * static_cast<double>(kSliceNs) / 1e9;
  double too_much = 0;  // what earlier slices did beyond their share
  int64_t slice_end_ns = MonotonicNs();
  while (!stop.Over()) {
    slice_end_ns += kSliceNs;
    double done = 0;
    while (done + too_much < share && MonotonicNs() < slice_end_ns) {
      const double amount = piece();
      if (amount < 0) {
        return total;
      }
      done += amount;
      total += amount;
    }
    too_much = std::isinf(share) ? 0 : std::max(0.0, done + too_much - share);
    const int64_t now_ns = MonotonicNs();
    if (now_ns < slice_end_ns) {
      stop.SleepUntil(slice_end_ns);
    } else {
      slice_end_ns = std::max(slice_end_ns, now_ns - kSliceNs);
    }
  }
  return total;
}

}  // namespace edgewise
