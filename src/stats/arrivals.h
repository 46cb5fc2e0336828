// When things are meant to happen in an open loop, relative to the first one.
// Pure: the same settings give the same times, whatever the things cost.
#ifndef EDGEWISE_STATS_ARRIVALS_H_
#define EDGEWISE_STATS_ARRIVALS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stats/random.h"

namespace edgewise::stats {

enum class ArrivalKind {
  kEven,     // evenly spaced
  kPoisson,  // gaps are exponential, seeded
  kAtOnce,   // all are due at the start
};

class Arrivals {
 public:
  Arrivals(ArrivalKind kind, double mean_gap_ns, uint64_t seed)
      : kind_(kind), gap_ns_(mean_gap_ns), random_(seed) {}

  // Of the next one; the first is 0. Does not drift: rounding errors of even
  // gaps do not add up. What would come after more than a century comes then:
  // sums with a time of today do not overflow.
  int64_t NextOffsetNs() {
    const int64_t index = next_++;
    switch (kind_) {
      case ArrivalKind::kEven:
        return Rounded(static_cast<double>(index) * gap_ns_);
      case ArrivalKind::kPoisson:
        if (index > 0) {
          sum_ns_ -= gap_ns_ * std::log(random_.Uniform());
        }
        return Rounded(sum_ns_);
      case ArrivalKind::kAtOnce:
        break;
    }
    return 0;
  }

 private:
  static int64_t Rounded(double ns) {
    constexpr double kMostNs = 4e18;
    return std::llround(std::min(ns, kMostNs));
  }

  ArrivalKind kind_;
  double gap_ns_;
  Random random_;
  int64_t next_ = 0;
  double sum_ns_ = 0;
};

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_ARRIVALS_H_
