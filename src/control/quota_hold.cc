#include "control/quota_hold.h"

#include <algorithm>
#include <cmath>

namespace edgewise::control {
namespace {

// Of a goal that is met: if that is not enough, it will be missed and answered.
constexpr double kWorthRaising = 1.25;
constexpr double kWorthRaisingLeftovers = 1.3;
constexpr double kMissingRaise = 1.02;
// Soon after another raise: what is wished for follows what items cost, which
// is known in full only after some seconds.
constexpr double kUrgentRaise = 1.1;
constexpr double kWorthLowering = 0.75;
constexpr double kScarceLowering = 0.98;
// Less than that too much does no harm: the node keeps a reserve.
constexpr double kLeftoversLowering = 0.92;

double Rounded(double cores) {
  return std::max(0.01, std::ceil(cores * 100 - 1e-6) / 100);
}

}  // namespace

bool QuotaHold::Set(double cores, int64_t now_ns) {
  lower_since_ns_.reset();
  higher_since_ns_.reset();
  if (cores_ == cores) {
    return false;
  }
  cores_ = cores;
  changed_ns_ = now_ns;
  return true;
}

bool QuotaHold::Raise(double wanted, const QuotaWish& wish, int64_t now_ns) {
  const double now = *cores_;
  if (!wish.first_served) {
    return wanted > now * kWorthRaisingLeftovers &&
           now_ns - changed_ns_ >= kRaiseLeftoversNs && Set(wanted, now_ns);
  }
  if (wish.missing) {
    const bool again = now_ns - changed_ns_ < kRaiseAgainNs;
    return wanted > now * (again ? kUrgentRaise : kMissingRaise) &&
           Set(wanted, now_ns);
  }
  if (wanted <= now * kWorthRaising) {
    higher_since_ns_.reset();
    return false;
  }
  if (!higher_since_ns_) {
    higher_since_ns_ = now_ns;
    least_since_ = wanted;
  }
  least_since_ = std::min(least_since_, wanted);
  return now_ns - *higher_since_ns_ >= kRaiseAfterNs &&
         Set(least_since_, now_ns);
}

bool QuotaHold::Lower(double wanted, const QuotaWish& wish, int64_t now_ns) {
  const double now = *cores_;
  if (wish.scarce && wanted < now * (wish.first_served ? kScarceLowering
                                                       : kLeftoversLowering)) {
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

bool QuotaHold::Update(const QuotaWish& wish, int64_t now_ns) {
  const double wanted = Rounded(wish.cores);
  if (!cores_) {
    return Set(wanted, now_ns);
  }
  if (wanted > *cores_) {
    lower_since_ns_.reset();
    return Raise(wanted, wish, now_ns);
  }
  higher_since_ns_.reset();
  return Lower(wanted, wish, now_ns);
}

}  // namespace edgewise::control
