// The pressure model as a ContentionPredictor, and as the figures that
// `edgewise place` uses (docs/formats/pressures.md).
#ifndef EDGEWISE_CONTENTION_PRESSURE_PREDICTOR_H_
#define EDGEWISE_CONTENTION_PRESSURE_PREDICTOR_H_

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "contention/predictor.h"
#include "contention/sharing.h"
#include "orchestration/pressure_model.h"

namespace edgewise::contention {

// Curves reach as far as pressures were measured in `rows`, and a little
// beyond. Ranks number the servers from the fastest; `basis` and errors are
// left as they are.
orchestration::PressureFigures FiguresFrom(const Campaign& campaign,
                                           const Selection& rows,
                                           const Sharing& sharing);

// Predicts with the very figures that are written to a file; beside quotas,
// which those do not know, with what they were made from.
class PressurePredictor : public ContentionPredictor {
 public:
  static Result<std::unique_ptr<PressurePredictor>> Fit(
      const Campaign& campaign, const Selection& rows);
  PressurePredictor(const Campaign& campaign, const Selection& rows,
                    Sharing sharing);

  std::string Name() const override { return "pressure"; }
  std::vector<std::optional<Figures>> Predict(
      const Deployment& deployment) const override;
  const orchestration::PressureFigures& figures() const {
    return model_.figures();
  }
  const Sharing& sharing() const { return sharing_; }

 private:
  static bool HasQuotas(const Deployment& deployment);
  std::optional<orchestration::ResponseMoments> UnderQuotas(
      const Deployment& deployment, size_t tenant) const;

  Sharing sharing_;
  std::vector<int> ranks_;  // by server
  orchestration::PressureModel model_;
};

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_PRESSURE_PREDICTOR_H_
