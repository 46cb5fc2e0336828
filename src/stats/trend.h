// How fast something rises, robustly: Theil and Sen's slope.
#ifndef EDGEWISE_STATS_TREND_H_
#define EDGEWISE_STATS_TREND_H_

#include <optional>
#include <span>

namespace edgewise::stats {

struct TrendPoint {
  double x = 0;
  double y = 0;
};

// In units of y for one of x; the interval holds the slope with 95% confidence
// if the differences from a line are independent.
struct Trend {
  double slope = 0;
  double low = 0;
  double high = 0;
};

inline constexpr size_t kLeastTrendPoints = 10;

// The median of the slopes between all pairs of points, with Sen's interval.
// nullopt with fewer than kLeastTrendPoints, or if no two differ in x. Takes
// time with the square of the number of points.
std::optional<Trend> TheilSenTrend(std::span<const TrendPoint> points);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_TREND_H_
