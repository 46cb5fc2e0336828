// When items are meant to start, relative to the first one. Pure: the same
// options give the same times, whatever the items cost.
#ifndef EDGEWISE_APPS_LOAD_SCHEDULE_H_
#define EDGEWISE_APPS_LOAD_SCHEDULE_H_

#include <cstdint>

#include "load/options.h"
#include "stats/arrivals.h"

namespace edgewise::apps {

// Not for Arrivals::kBackToBack, which has no intended starts.
class Schedule {
 public:
  explicit Schedule(const LoadOptions& options)
      : arrivals_(KindOf(options.arrivals), options.gap_ns, options.seed) {}

  // Of the next item; the first one is 0.
  int64_t NextOffsetNs() { return arrivals_.NextOffsetNs(); }

 private:
  static stats::ArrivalKind KindOf(Arrivals arrivals) {
    switch (arrivals) {
      case Arrivals::kEven:
        return stats::ArrivalKind::kEven;
      case Arrivals::kPoisson:
        return stats::ArrivalKind::kPoisson;
      case Arrivals::kAtOnce:
      case Arrivals::kBackToBack:
        break;
    }
    return stats::ArrivalKind::kAtOnce;
  }

  stats::Arrivals arrivals_;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_SCHEDULE_H_
