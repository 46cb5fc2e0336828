#include "stats/scaling_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace edgewise::stats {
namespace {

constexpr double kMaxCoherency = 1e6;
// Directions and steps in which a region is searched.
constexpr int kDirections = 96;
constexpr int kSteps = 24;

using Shape = ScalingShape;
using Residuals = ScalingResiduals;

Shape Within(const Shape& shape) {
  return {std::clamp(shape.s, 0.0, 1.0),
          std::clamp(shape.k, 0.0, kMaxCoherency)};
}

// Levenberg and Marquardt's method from one start, with what lies at a bound
// and wants beyond it held there.
Shape Descend(const Residuals& residuals, ScalingLaw law, Shape at) {
  double squares = residuals.Squares(at);
  double damping = 1e-3;
  for (int i = 0; i < 300 && damping < 1e12; ++i) {
    Residuals::Slopes slopes = residuals.SlopesAt(at);
    // A residual grows with s and k, so a step against the gradient lessens it.
    const bool hold_s = (at.s <= 0 && slopes.s > 0) ||
                        (at.s >= 1 && slopes.s < 0) || slopes.ss <= 0;
    const bool hold_k = law == ScalingLaw::kAmdahl ||
                        (at.k <= 0 && slopes.k > 0) || slopes.kk <= 0;
    const double ss = slopes.ss * (1 + damping);
    const double kk = slopes.kk * (1 + damping);
    Shape step;
    if (!hold_s && !hold_k) {
      const double determinant = ss * kk - slopes.sk * slopes.sk;
      step.s = (slopes.s * kk - slopes.k * slopes.sk) / determinant;
      step.k = (slopes.k * ss - slopes.s * slopes.sk) / determinant;
    } else if (!hold_s) {
      step.s = slopes.s / ss;
    } else if (!hold_k) {
      step.k = slopes.k / kk;
    } else {
      break;
    }
    const Shape next = Within({at.s - step.s, at.k - step.k});
    const double next_squares = residuals.Squares(next);
    if (next_squares < squares) {
      at = next;
      squares = next_squares;
      damping = std::max(damping / 10, 1e-12);
    } else {
      damping *= 10;
    }
  }
  return at;
}

// The shapes whose residuals are within `limit`, around the best one.
class Region {
 public:
  Region(const Residuals& residuals, ScalingLaw law, Shape best, double limit)
      : residuals_(residuals), best_(best), limit_(limit) {
    if (law == ScalingLaw::kAmdahl) {
      directions_ = {{1, 0}, {-1, 0}};
      return;
    }
    // Where the normal matrix is L L', directions even in L' v reach evenly
    // into a long and narrow region.
    const Residuals::Slopes slopes = residuals.SlopesAt(best);
    const double l11 = std::sqrt(std::max(slopes.ss, 1e-300));
    const double l21 = slopes.sk / l11;
    const double l22 =
        std::sqrt(std::max(slopes.kk - l21 * l21, slopes.kk * 1e-12 + 1e-300));
    for (int i = 0; i < kDirections; ++i) {
      const double angle = 2 * std::numbers::pi * i / kDirections;
      const double v = std::sin(angle) / l22;
      directions_.push_back({(std::cos(angle) - l21 * v) / l11, v});
    }
    // Along the bounds too: what is best may lie on one.
    directions_.insert(directions_.end(), {{1, 0}, {-1, 0}, {0, 1}, {0, -1}});
  }

  // Calls visit(shape, squares) for shapes throughout the region.
  template <typename Visit>
  void ForEach(Visit visit) const {
    visit(best_, residuals_.Squares(best_));
    for (const Shape& direction : directions_) {
      const double reach = Reach(direction);
      for (int i = 1; i <= kSteps; ++i) {
        const Shape shape = Along(direction, reach * i / kSteps);
        visit(shape, std::min(residuals_.Squares(shape), limit_));
      }
    }
  }

 private:
  Shape Along(const Shape& direction, double length) const {
    return Within(
        {best_.s + length * direction.s, best_.k + length * direction.k});
  }

  // How far one can go before a bound or the limit.
  double Reach(const Shape& direction) const {
    double reach = kMaxCoherency;
    const auto stop = [&reach](double at, double step, double low,
                               double high) {
      if (step > 0) {
        reach = std::min(reach, (high - at) / step);
      } else if (step < 0) {
        reach = std::min(reach, (low - at) / step);
      }
    };
    stop(best_.s, direction.s, 0, 1);
    stop(best_.k, direction.k, 0, kMaxCoherency);
    if (residuals_.Squares(Along(direction, reach)) <= limit_) {
      return reach;
    }
    double inside = 0;
    double outside = reach;
    for (int i = 0; i < 200 && outside - inside > inside * 1e-9; ++i) {
      const double middle = inside > 0 && outside > 4 * inside
                                ? std::sqrt(inside * outside)
                                : (inside + outside) / 2;
      (residuals_.Squares(Along(direction, middle)) <= limit_ ? inside
                                                              : outside) =
          middle;
    }
    return inside;
  }

  const Residuals& residuals_;
  Shape best_;
  double limit_;
  std::vector<Shape> directions_;
};

}  // namespace

double LogSpeedup(const ScalingShape& shape, double n) {
  return std::log(n) - std::log1p(shape.s * (n - 1) + shape.k * n * (n - 1));
}

ScalingResiduals::ScalingResiduals(std::span<const ScalingPoint> points)
    : points_(points) {
  double total = 0;
  for (const ScalingPoint& point : points) {
    total += point.weight;
  }
  scale_ = static_cast<double>(points.size()) / total;
}

double ScalingResiduals::LogSingle(const ScalingShape& shape) const {
  double sum = 0;
  for (const ScalingPoint& point : points_) {
    sum += Weight(point) *
           (std::log(point.throughput) - LogSpeedup(shape, point.n));
  }
  return sum / count();
}

double ScalingResiduals::Squares(const ScalingShape& shape) const {
  const double single = LogSingle(shape);
  double sum = 0;
  for (const ScalingPoint& point : points_) {
    const double residual =
        std::log(point.throughput) - single - LogSpeedup(shape, point.n);
    sum += Weight(point) * residual * residual;
  }
  return sum;
}

ScalingResiduals::Slopes ScalingResiduals::SlopesAt(
    const ScalingShape& shape) const {
  const double single = LogSingle(shape);
  double mean_s = 0;
  double mean_k = 0;
  const auto by_s_and_k = [&shape](double n) {
    const double g = 1 + shape.s * (n - 1) + shape.k * n * (n - 1);
    return std::pair((n - 1) / g, n * (n - 1) / g);
  };
  for (const ScalingPoint& point : points_) {
    const auto [by_s, by_k] = by_s_and_k(point.n);
    mean_s += Weight(point) * by_s / count();
    mean_k += Weight(point) * by_k / count();
  }
  Slopes slopes;
  for (const ScalingPoint& point : points_) {
    auto [by_s, by_k] = by_s_and_k(point.n);
    by_s -= mean_s;
    by_k -= mean_k;
    const double w = Weight(point);
    const double residual =
        std::log(point.throughput) - single - LogSpeedup(shape, point.n);
    slopes.ss += w * by_s * by_s;
    slopes.sk += w * by_s * by_k;
    slopes.kk += w * by_k * by_k;
    slopes.s += w * by_s * residual;
    slopes.k += w * by_k * residual;
  }
  return slopes;
}

ScalingShape BestShape(const ScalingResiduals& residuals, ScalingLaw law) {
  constexpr std::array<Shape, 6> kStarts{
      {{0.01, 0}, {0.2, 0}, {0.8, 0}, {0.05, 1e-3}, {0.3, 0.03}, {0.01, 0.3}}};
  Shape best;
  double least = residuals.Squares(best);
  for (Shape start : kStarts) {
    if (law == ScalingLaw::kAmdahl) {
      start.k = 0;
    }
    const Shape found = Descend(residuals, law, start);
    if (const double squares = residuals.Squares(found); squares < least) {
      best = found;
      least = squares;
    }
  }
  return best;
}

void VisitShapesWithin(
    const ScalingResiduals& residuals, ScalingLaw law, const ScalingShape& best,
    double limit,
    const std::function<void(const ScalingShape&, double)>& visit) {
  Region(residuals, law, best, limit).ForEach(visit);
}

}  // namespace edgewise::stats
