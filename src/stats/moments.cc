#include "stats/moments.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace edgewise::stats {

void Moments::Add(double value) {
  assert(std::isfinite(value));
  if (count_ == 0) {
    first_ = min_ = max_ = value;
  } else {
    const double step = value - last_;
    absolute_steps_ += std::abs(step);
    squared_steps_ += step * step;
    ++steps_;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }
  last_ = value;
  ++count_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
}

void Moments::Merge(const Moments& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const auto here = static_cast<double>(count_);
  const auto there = static_cast<double>(other.count_);
  const double gap = other.mean_ - mean_;
  mean_ += gap * there / (here + there);
  squares_ += other.squares_ + gap * gap * here * there / (here + there);
  count_ += other.count_;
  steps_ += other.steps_;
  absolute_steps_ += other.absolute_steps_;
  squared_steps_ += other.squared_steps_;
  last_ = other.last_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  merged_ = true;
}

std::optional<double> Moments::mean() const {
  if (count_ < 1) return std::nullopt;
  return mean_;
}

std::optional<double> Moments::min() const {
  if (count_ < 1) return std::nullopt;
  return min_;
}

std::optional<double> Moments::max() const {
  if (count_ < 1) return std::nullopt;
  return max_;
}

std::optional<double> Moments::stddev() const {
  if (count_ < 2) return std::nullopt;
  return std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

std::optional<double> Moments::jitter() const {
  if (steps_ < 1) return std::nullopt;
  return absolute_steps_ / static_cast<double>(steps_);
}

std::optional<double> Moments::lag1() const {
  if (count_ < 3 || merged_ || min_ == max_) return std::nullopt;
  // The sum of (x_i - m)(x_(i-1) - m), from the sum of (x_i - x_(i-1))^2.
  const double ends =
      (first_ - mean_) * (first_ - mean_) + (last_ - mean_) * (last_ - mean_);
  return (squares_ - ends / 2 - squared_steps_ / 2) / squares_;
}

Moments MomentsOf(std::span<const double> values) {
  Moments moments;
  for (const double value : values) moments.Add(value);
  return moments;
}

}  // namespace edgewise::stats
