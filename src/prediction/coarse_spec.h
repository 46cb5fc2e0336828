// The level of the coarse model that a device's spec suggests: for callers who
// send eight fields and have a device that was never measured.
#ifndef EDGEWISE_PREDICTION_COARSE_SPEC_H_
#define EDGEWISE_PREDICTION_COARSE_SPEC_H_

#include <Eigen/Dense>
#include <optional>
#include <string>

#include "prediction/latency_model.h"
#include "prediction/predict.h"

namespace edgewise {

struct CoarseSpec {
  Eigen::VectorXd weights;  // of the spec's terms, and a constant last
  // How far levels of devices that were left out missed, nine of ten times.
  IntervalWidth width;

  double Level(const DeviceSpec& spec) const;
};

// nullopt where too few devices of the model have a level.
std::optional<CoarseSpec> FitCoarseSpec(const LatencyModel& model);

// Both errors go into the interval, as independent ones.
Prediction PredictCoarseBySpec(const LatencyModel& model,
                               const CoarseSpec& by_spec,
                               const Characteristics& fields,
                               const std::string& device,
                               const DeviceSpec& spec);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_COARSE_SPEC_H_
