#include "control/quota_hold.h"

#include <algorithm>
#include <cmath>

namespace edgewise::control {
namespace {

constexpr double kWorthRaising = 1.1;
constexpr double kWorthRaisingLeftovers = 1.2;
constexpr double kMissingRaise = 1.02;
constexpr double kWorthLowering = 0.8;
constexpr double kScarceLowering = 0.98;

double Rounded(double cores) {
  return std::max(0.01, std::ceil(cores * 100 - 1e-6) / 100);
}

}  // namespace

bool QuotaHold::Set(double cores, int64_t now_ns) {
  lower_since_ns_.reset();
  if (cores_ == cores) {
    return false;
  }
  cores_ = cores;
  changed_ns_ = now_ns;
  return true;
}

bool QuotaHold::Update(const QuotaWish& wish, int64_t now_ns) {
  const double wanted = Rounded(wish.cores);
  if (!cores_) {
    return Set(wanted, now_ns);
  }
  const double now = *cores_;
  if (wanted > now) {
    lower_since_ns_.reset();
    const bool worth = wish.has_goal
                           ? wanted > now * kWorthRaising ||
                                 (wish.missing && wanted > now * kMissingRaise)
                           : wanted > now * kWorthRaisingLeftovers &&
                                 now_ns - changed_ns_ >= kRaiseLeftoversNs;
    return worth && Set(wanted, now_ns);
  }
  if (wish.scarce && wanted < now * kScarceLowering) {
    return Set(wanted, now_ns);
  }
  if (wanted >= now * kWorthLowering) {
    lower_since_ns_.reset();
    return false;
  }
  if (!lower_since_ns_) {
    lower_since_ns_ = now_ns;
    most_since_ = wanted;
  }
  most_since_ = std::max(most_since_, wanted);
  return now_ns - *lower_since_ns_ >= kLowerAfterNs && Set(most_since_, now_ns);
}

}  // namespace edgewise::control
