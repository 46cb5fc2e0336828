// QuotaHold: keeps a quota where it is unless moving it is worth it.
//
// A quota is raised at once for an app that misses its goal, else only by a
// quarter or more; it is lowered when less has been enough for a while, or at
// once when others need it.
#ifndef EDGEWISE_CONTROL_QUOTA_HOLD_H_
#define EDGEWISE_CONTROL_QUOTA_HOLD_H_

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace edgewise::control {

struct QuotaWish {
  double cores = 0;
  bool first_served = true;  // else it lives on what those leave
  bool missing = false;      // its goal, now
  bool scarce = false;  // quotas do not fit the node unless some are lowered
};

// Times are CLOCK_MONOTONIC. Not thread-safe.
class QuotaHold {
 public:
  static constexpr int64_t kLowerAfterNs = 20 * kNsPerSecond;
  // Without a goal that is missed, more must be wished for that long.
  static constexpr int64_t kRaiseAfterNs = 3 * kNsPerSecond;
  // What a raise does shows only after that.
  static constexpr int64_t kRaiseAgainNs = 2 * kNsPerSecond;
  // Apps that live on what is left get more that often at most.
  static constexpr int64_t kRaiseLeftoversNs = 60 * kNsPerSecond;

  std::optional<double> cores() const { return cores_; }

  // Whether the quota has changed.
  bool Update(const QuotaWish& wish, int64_t now_ns);
  void Lift() { *this = QuotaHold(); }

 private:
  bool Set(double cores, int64_t now_ns);
  bool Raise(double wanted, const QuotaWish& wish, int64_t now_ns);
  bool Lower(double wanted, const QuotaWish& wish, int64_t now_ns);

  std::optional<double> cores_;
  int64_t changed_ns_ = 0;
  // Since when less would do, and the most that was wished for since then.
  std::optional<int64_t> lower_since_ns_;
  double most_since_ = 0;
  // The same for more.
  std::optional<int64_t> higher_since_ns_;
  double least_since_ = 0;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_QUOTA_HOLD_H_
