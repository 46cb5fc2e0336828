// The shape of a scaling law, apart from its size: least squares, and the
// shapes that the points allow. Private to this room; see scaling_laws.h.
#ifndef EDGEWISE_STATS_SCALING_SHAPE_H_
#define EDGEWISE_STATS_SCALING_SHAPE_H_

#include <functional>
#include <span>
#include <vector>

#include "stats/scaling_laws.h"

namespace edgewise::stats {

// s in [0, 1] and k >= 0 of x(n) = x(1) n / (1 + s (n - 1) + k n (n - 1)).
struct ScalingShape {
  double s = 0;
  double k = 0;
};

// ln x(n) - ln x(1).
double LogSpeedup(const ScalingShape& shape, double n);

// How far a law is from the points, in log throughput. x(1) is always the best
// one for the shape: the weighted mean of the differences. The points must
// outlive it.
class ScalingResiduals {
 public:
  explicit ScalingResiduals(std::span<const ScalingPoint> points);

  // Weights have mean 1, so that sums of squares are those of the points.
  double Weight(const ScalingPoint& point) const {
    return point.weight * scale_;
  }
  double count() const { return static_cast<double>(points_.size()); }
  // ln x(1).
  double LogSingle(const ScalingShape& shape) const;
  // The weighted sum of squared residuals.
  double Squares(const ScalingShape& shape) const;

  // Of the residuals by s and k, with x(1) free: the normal matrix and half
  // the gradient of Squares.
  struct Slopes {
    double ss = 0, sk = 0, kk = 0;
    double s = 0, k = 0;
  };
  Slopes SlopesAt(const ScalingShape& shape) const;

 private:
  std::span<const ScalingPoint> points_;
  double scale_ = 1;
};

// The shape with the least squares; k is 0 in Amdahl's law.
ScalingShape BestShape(const ScalingResiduals& residuals, ScalingLaw law);

// Calls visit(shape, squares) for shapes throughout the region around `best`
// whose squares are at most `limit`, its border included.
void VisitShapesWithin(
    const ScalingResiduals& residuals, ScalingLaw law, const ScalingShape& best,
    double limit,
    const std::function<void(const ScalingShape&, double)>& visit);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_SCALING_SHAPE_H_
