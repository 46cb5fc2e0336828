#include "experiments/sensitivity.h"

#include <algorithm>

namespace edgewise {

SensitivityCurve::SensitivityCurve(
    std::vector<std::pair<double, double>> points) {
  std::sort(points.begin(), points.end());
  // Blocks of points with one value each, ascending.
  struct Block {
    double sum = 0;
    size_t count = 0;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Block> blocks;
  for (const auto& [dial, slow_down] : points) {
    blocks.push_back({slow_down, 1});
    while (blocks.size() > 1 &&
           blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().count += last.count;
    }
  }
  size_t at = 0;
  for (const Block& block : blocks) {
    for (size_t i = 0; i < block.count; ++i) {
      points_.emplace_back(points[at++].first, std::max(1.0, block.mean()));
    }
  }
}

double SensitivityCurve::At(double dial_percent) const {
  for (size_t i = 1; i < points_.size(); ++i) {
    const auto& [left, low] = points_[i - 1];
    const auto& [right, high] = points_[i];
    if (dial_percent <= right) {
      return low +
             (high - low) * std::max(0.0, dial_percent - left) / (right - left);
    }
  }
  return points_.back().second;
}

double SensitivityCurve::DialFor(double slow_down) const {
  if (slow_down <= 1) {
    return 0;
  }
  for (size_t i = 1; i < points_.size(); ++i) {
    const auto& [left, low] = points_[i - 1];
    const auto& [right, high] = points_[i];
    if (slow_down <= high) {
      return left + (right - left) * (slow_down - low) / (high - low);
    }
  }
  return points_.back().first;
}

SensitivityCurve CurveOf(const std::vector<SlowDown>& slow_downs,
                         const std::string& actor, StressKind kind) {
  std::vector<std::pair<double, double>> points;
  for (const SlowDown& each : slow_downs) {
    if (each.actor != actor || each.beside.size() != 1 || !each.p50.ratio) {
      continue;
    }
    const auto spec = ParseStressSpec(each.beside.front());
    if (spec && spec->kind == kind && spec->dial_percent > 0) {
      points.emplace_back(spec->dial_percent, *each.p50.ratio);
    }
  }
  return SensitivityCurve(std::move(points));
}

}  // namespace edgewise
