// The simulator that replays placements (orchestration/replay.h) as a
// predictor, so that it is judged by the same measurements.
#ifndef EDGEWISE_CONTENTION_SIMULATOR_H_
#define EDGEWISE_CONTENTION_SIMULATOR_H_

#include <string>
#include <vector>

#include "contention/predictor.h"
#include "orchestration/pressure_model.h"

namespace edgewise::contention {

inline constexpr const char* kSimulatorName = "simulator";

// Replays a deployment several times for as long as it was measured, with fixed
// seeds: figures are medians over these. Knows no stressors.
class Simulator : public ContentionPredictor {
 public:
  // `ranks` and `cores` by server of the campaign.
  Simulator(orchestration::PressureFigures figures, std::vector<int> ranks,
            std::vector<double> cores);

  std::string Name() const override { return kSimulatorName; }
  std::vector<std::optional<Figures>> Predict(
      const Deployment& deployment) const override;

 private:
  orchestration::PressureFigures figures_;
  std::vector<int> ranks_;
  std::vector<double> cores_;
};

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_SIMULATOR_H_
