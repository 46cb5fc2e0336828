#include "http/traffic.h"

#include <algorithm>

namespace edgewise::http {

Traffic::Traffic(size_t routes) {
  routes_.resize(routes);
  for (auto& route : routes_) {
    route = std::make_unique<Counts>();
  }
}

void Traffic::Count(size_t route, int status, int64_t time_ns) {
  Counts& counts = *routes_[route];
  const int index = std::clamp(status - kFirstStatus, 0, kStatuses - 1);
  counts.by_status[static_cast<size_t>(index)].fetch_add(
      1, std::memory_order_relaxed);
  const double time_s = static_cast<double>(time_ns) * 1e-9;
  const auto bound =
      std::lower_bound(kTimeBounds_s.begin(), kTimeBounds_s.end(), time_s);
  counts.by_time[static_cast<size_t>(bound - kTimeBounds_s.begin())].fetch_add(
      1, std::memory_order_relaxed);
  counts.time_ns.fetch_add(time_ns, std::memory_order_relaxed);
}

RouteTraffic Traffic::Of(size_t route) const {
  const Counts& counts = *routes_[route];
  RouteTraffic traffic;
  for (int i = 0; i < kStatuses; ++i) {
    const uint64_t count = counts.by_status[static_cast<size_t>(i)].load(
        std::memory_order_relaxed);
    if (count > 0) {
      traffic.by_status.emplace_back(kFirstStatus + i, count);
    }
  }
  for (size_t i = 0; i < traffic.by_time.size(); ++i) {
    traffic.by_time[i] = counts.by_time[i].load(std::memory_order_relaxed);
  }
  traffic.time_s =
      static_cast<double>(counts.time_ns.load(std::memory_order_relaxed)) *
      1e-9;
  return traffic;
}

}  // namespace edgewise::http
