#include "stats/trend.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/special.h"

namespace edgewise::stats {

std::optional<Trend> TheilSenTrend(std::span<const TrendPoint> points) {
  if (points.size() < kLeastTrendPoints) {
    return std::nullopt;
  }
  std::vector<double> slopes;
  slopes.reserve(points.size() * (points.size() - 1) / 2);
  for (size_t i = 0; i < points.size(); ++i) {
    for (size_t j = i + 1; j < points.size(); ++j) {
      if (points[i].x != points[j].x) {
        slopes.push_back((points[j].y - points[i].y) /
                         (points[j].x - points[i].x));
      }
    }
  }
  if (slopes.empty()) {
    return std::nullopt;
  }
  std::sort(slopes.begin(), slopes.end());
  const auto n = static_cast<double>(points.size());
  const auto count = static_cast<double>(slopes.size());
  // The standard deviation of Kendall's count of rising less falling pairs.
  const double spread =
      NormalQuantile(0.975) * std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
  const auto at = [&](double rank) {
    return slopes[static_cast<size_t>(std::clamp(rank, 0.0, count - 1))];
  };
  Trend trend;
  trend.slope = (at((count - 1) / 2) + at(count / 2)) / 2;
  trend.low = at(std::floor((count - spread) / 2));
  trend.high = at(std::ceil((count + spread) / 2));
  return trend;
}

}  // namespace edgewise::stats
