// The pressure model of a campaign, with how wrong it may be.
#ifndef EDGEWISE_CONTENTION_TRAIN_H_
#define EDGEWISE_CONTENTION_TRAIN_H_

#include <string>

#include "base/result.h"
#include "contention/evaluate.h"
#include "orchestration/pressure_model.h"

namespace edgewise::contention {

struct TrainedPressures {
  orchestration::PressureFigures figures;
  PredictorErrors errors;  // of deployments that were held out
};

// `date` is put into the figures' basis. Errors are so wide that p95 of nine
// of ten tenants that were held out stayed below the upper end at a confidence
// of 90%. kInvalid: as EvaluatePressure.
Result<TrainedPressures> TrainPressures(const Campaign& campaign,
                                        const std::string& date,
                                        const EvaluateSettings& settings = {});

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_TRAIN_H_
