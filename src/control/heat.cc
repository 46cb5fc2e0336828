#include "control/heat.h"

#include <algorithm>

#include "base/clock.h"

namespace edgewise::control {
namespace {

constexpr double kLeastShare = 0.3;
constexpr double kStepDown = 0.1;
constexpr double kStepUp = 0.1;
constexpr double kWellBelowC = 5;
// Heat takes its time.
constexpr int64_t kDownEveryNs = 5 * kNsPerSecond;
constexpr int64_t kUpEveryNs = 30 * kNsPerSecond;

}  // namespace

bool HeatLimit::Update(std::optional<double> limit_c,
                       std::optional<double> hottest_c, int64_t now_ns) {
  if (!limit_c || !hottest_c) {
    return false;
  }
  if (*hottest_c > *limit_c && share_ > kLeastShare &&
      now_ns >= next_down_ns_) {
    share_ = std::max(kLeastShare, share_ - kStepDown);
    next_down_ns_ = now_ns + kDownEveryNs;
    next_up_ns_ = now_ns + kUpEveryNs;
    return true;
  }
  if (*hottest_c < *limit_c - kWellBelowC && share_ < 1 &&
      now_ns >= next_up_ns_) {
    share_ = std::min(1.0, share_ + kStepUp);
    next_up_ns_ = now_ns + kUpEveryNs;
    return true;
  }
  return false;
}

}  // namespace edgewise::control
