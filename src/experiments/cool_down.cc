#include "experiments/cool_down.h"

#include <poll.h>

#include <algorithm>

#include "base/clock.h"
#include "sessions/signal_guard.h"

namespace edgewise {
namespace {

constexpr int64_t kWarmerMillicelsius = 5000;
constexpr int64_t kMostNs = 60 * kNsPerSecond;
constexpr int64_t kLookNs = 500 * kNsPerMs;

}  // namespace

CoolDown::CoolDown(int64_t pause_ns, const std::filesystem::path& sysfs_root)
    : pause_ns_(pause_ns),
      zones_(FindThermalZones(sysfs_root)),
      at_start_(HottestMillicelsius()) {}

std::optional<int64_t> CoolDown::HottestMillicelsius() const {
  std::optional<int64_t> hottest;
  for (const ThermalZone& zone : zones_) {
    if (const auto now = zone.ReadMillicelsius()) {
      hottest = std::max(hottest.value_or(*now), *now);
    }
  }
  return hottest;
}

bool CoolDown::Wait() const {
  SignalGuard signals;
  const auto sleep = [&signals](int64_t ns) {
    pollfd waiting{signals.fd(), POLLIN, 0};
    return ::poll(&waiting, 1, static_cast<int>(ns / kNsPerMs)) == 0;
  };
  if (pause_ns_ > 0 && !sleep(pause_ns_)) {
    return false;
  }
  for (int64_t waited = 0; waited < kMostNs; waited += kLookNs) {
    const auto now = HottestMillicelsius();
    if (!now || !at_start_ || *now <= *at_start_ + kWarmerMillicelsius) {
      break;
    }
    if (!sleep(kLookNs)) {
      return false;
    }
  }
  return true;
}

}  // namespace edgewise
