// The fitted idea of a server as predictors: as it is, and in the additive form
// that `edgewise place` uses (docs/formats/pressures.md).
#ifndef EDGEWISE_CONTENTION_PRESSURE_PREDICTOR_H_
#define EDGEWISE_CONTENTION_PRESSURE_PREDICTOR_H_

#include <memory>
#include <string>
#include <vector>

#include "contention/predictor.h"
#include "contention/sharing.h"
#include "orchestration/pressure_model.h"

namespace edgewise::contention {

// Solves for how often everybody is at work.
class SharingPredictor : public ContentionPredictor {
 public:
  // In the long run, or in the few seconds of a measurement, in which a queue
  // may grow a little and still be answered?
  enum class Horizon { kMeasurement, kLongRun };
  explicit SharingPredictor(Sharing sharing,
                            Horizon horizon = Horizon::kMeasurement)
      : sharing_(std::move(sharing)), horizon_(horizon) {}

  std::string Name() const override { return "sharing"; }
  std::vector<std::optional<Figures>> Predict(
      const Deployment& deployment) const override;

 private:
  Sharing sharing_;
  Horizon horizon_;
};

// Pressures that add up: what a placement counts with. Predicts with the very
// figures that are written to a file; beside quotas, which those do not know,
// as SharingPredictor.
class PressurePredictor : public ContentionPredictor {
 public:
  // `sharing` was fitted to `rows`.
  PressurePredictor(const Campaign& campaign, const Selection& rows,
                    const Sharing& sharing);

  std::string Name() const override { return "pressure"; }
  std::vector<std::optional<Figures>> Predict(
      const Deployment& deployment) const override;
  const orchestration::PressureFigures& figures() const {
    return model_.figures();
  }

 private:
  SharingPredictor sharing_;
  std::vector<int> ranks_;  // by server
  orchestration::PressureModel model_;
};

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_PRESSURE_PREDICTOR_H_
