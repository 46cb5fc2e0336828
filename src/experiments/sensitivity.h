// Sensitivity: slow-down against the dial of one stressor, as a curve.
#ifndef EDGEWISE_EXPERIMENTS_SENSITIVITY_H_
#define EDGEWISE_EXPERIMENTS_SENSITIVITY_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/slow_down.h"
#include "stress/stress_spec.h"

namespace edgewise {

// Slow-downs at dials from 0 (where it is 1) to 100. More pressure never helps:
// points that say so are noise, and neighbours that contradict each other are
// averaged (isotonic regression by pooling adjacent violators). Below 1 it is
// 1.
class SensitivityCurve {
 public:
  SensitivityCurve() = default;
  // Any order; dials above 0, one point each.
  explicit SensitivityCurve(std::vector<std::pair<double, double>> points);

  // Linear between points; beyond the last one as there.
  double At(double dial_percent) const;
  // The least dial with at least that slow-down; the last dial if there is no
  // such. 0 for a slow-down of 1 or less, or from a curve without points.
  double DialFor(double slow_down) const;
  const std::vector<std::pair<double, double>>& points() const {
    return points_;
  }

 private:
  // Ascending, from dial 0 on.
  std::vector<std::pair<double, double>> points_{{0, 1}};
};

// The actor's p50 beside this kind of stressor, at the dials that were
// measured.
SensitivityCurve CurveOf(const std::vector<SlowDown>& slow_downs,
                         const std::string& actor, StressKind kind);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_SENSITIVITY_H_
