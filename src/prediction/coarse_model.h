// Latency from the eight SOPRANO fields alone: a level for each run and shared
// exponents of the fields, none below 0, so that a larger field is never
// faster. Far less exact than a network's layers; its interval says so.
#ifndef EDGEWISE_PREDICTION_COARSE_MODEL_H_
#define EDGEWISE_PREDICTION_COARSE_MODEL_H_

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "prediction/characteristics.h"

namespace edgewise {

struct CoarseModel {
  CoarseVector exponents{};
  // The range of each term among the networks it was fitted on.
  CoarseVector least{};
  CoarseVector most{};

  // Log of milliseconds on a run of the given level; finite whatever the
  // fields are.
  double LogTime(const CoarseVector& terms, double level) const;
  // Whether a field is far from all it has seen.
  bool OutOfDistribution(const CoarseVector& terms) const;
};

// One element a network; nullopt where its fields are not known.
using CoarseTable = std::vector<std::optional<CoarseVector>>;

// `log_ms` is runs x networks, NaN where not measured.
CoarseModel FitCoarse(const Eigen::MatrixXd& log_ms, const CoarseTable& terms);
// The level of one run; nullopt if none of its networks has known fields.
std::optional<double> CoarseLevel(const CoarseModel& model,
                                  const Eigen::VectorXd& log_ms,
                                  const CoarseTable& terms);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_COARSE_MODEL_H_
