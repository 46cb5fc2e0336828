#include "live/metric.h"

#include <algorithm>

namespace edgewise::live {

void LiveMetric::AddDuration(int64_t duration_ns, int64_t now_ns) {
  const double seconds = static_cast<double>(duration_ns) / 1e9;
  const auto bound = std::lower_bound(kDurationBounds_s.begin(),
                                      kDurationBounds_s.end(), seconds);
  ++durations_.by_class[static_cast<size_t>(bound - kDurationBounds_s.begin())];
  durations_.sum_s += seconds;
  last_ = static_cast<double>(duration_ns);
  last_ns_ = now_ns;
  ++count_;
  rolling_.Add(last_, now_ns);
}

void LiveMetric::AddJob(int64_t duration_ns, bool missed, int64_t now_ns) {
  deadline_misses_ += missed ? 1 : 0;
  AddDuration(duration_ns, now_ns);
}

void LiveMetric::AddValue(double value, int64_t now_ns) {
  last_ = kind_ == EventKind::kCounter ? total_before_ + value : value;
  last_ns_ = now_ns;
  ++count_;
  // How a total is distributed says nothing.
  if (kind_ != EventKind::kCounter) {
    rolling_.Add(value, now_ns);
  }
}

void LiveMetric::Remember(int64_t now_ns) {
  if (is_duration()) {
    recent_.AddRate(count_, now_ns);
  } else {
    recent_.AddValue(last_);
  }
}

void LiveMetric::BeginProcess() {
  if (kind_ == EventKind::kCounter) {
    total_before_ = last_;
  }
}

}  // namespace edgewise::live
