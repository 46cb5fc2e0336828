// When items are meant to start, relative to the first one. Pure: the same
// options give the same times, whatever the items cost.
#ifndef EDGEWISE_APPS_LOAD_SCHEDULE_H_
#define EDGEWISE_APPS_LOAD_SCHEDULE_H_

#include <cmath>
#include <cstdint>

#include "load/options.h"
#include "stats/random.h"

namespace edgewise::apps {

// Not for Arrivals::kBackToBack, which has no intended starts.
class Schedule {
 public:
  explicit Schedule(const LoadOptions& options)
      : arrivals_(options.arrivals),
        gap_ns_(options.gap_ns),
        random_(options.seed) {}

  // Of the next item; the first one is 0. Does not drift: rounding errors of
  // even gaps do not add up.
  int64_t NextOffsetNs() {
    const int64_t index = next_++;
    switch (arrivals_) {
      case Arrivals::kEven:
        return std::llround(static_cast<double>(index) * gap_ns_);
      case Arrivals::kPoisson:
        if (index > 0) {
          sum_ns_ -= gap_ns_ * std::log(random_.Uniform());
        }
        return std::llround(sum_ns_);
      case Arrivals::kAtOnce:
      case Arrivals::kBackToBack:
        break;
    }
    return 0;
  }

 private:
  Arrivals arrivals_;
  double gap_ns_;
  stats::Random random_;
  int64_t next_ = 0;
  double sum_ns_ = 0;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_SCHEDULE_H_
