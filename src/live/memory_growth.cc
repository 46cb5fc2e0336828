#include "live/memory_growth.h"

#include <algorithm>

namespace edgewise::live {
namespace {

constexpr size_t kParts = 5;

}  // namespace

void MemoryTrail::Add(int64_t now_ns, int64_t bytes) {
  if (!points_.empty() && now_ns - points_.back().at_ns < kPointEveryNs) {
    return;
  }
  if (points_.size() == kPoints) {
    points_.erase(points_.begin());
  }
  points_.push_back({now_ns, bytes});
}

std::optional<MemoryGrowth> MemoryTrail::Growth() const {
  if (points_.size() < kPoints) {
    return std::nullopt;
  }
  constexpr auto kPerPart = static_cast<std::ptrdiff_t>(kPoints / kParts);
  int64_t floor_before = -1;
  for (auto part = points_.begin(); part != points_.end(); part += kPerPart) {
    const int64_t floor = std::min_element(part, part + kPerPart,
                                           [](const Point& a, const Point& b) {
                                             return a.bytes < b.bytes;
                                           })
                              ->bytes;
    if (floor <= floor_before) {
      return std::nullopt;
    }
    floor_before = floor;
  }
  std::vector<stats::TrendPoint> trend_points;
  trend_points.reserve(points_.size());
  const int64_t first_ns = points_.front().at_ns;
  for (const Point& point : points_) {
    trend_points.push_back({static_cast<double>(point.at_ns - first_ns) / 1e9,
                            static_cast<double>(point.bytes)});
  }
  const auto trend = stats::TheilSenTrend(trend_points);
  if (!trend || trend->low <= 0) {
    return std::nullopt;
  }
  return MemoryGrowth{*trend, static_cast<double>(points_.back().bytes),
                      trend_points.back().x};
}

}  // namespace edgewise::live
