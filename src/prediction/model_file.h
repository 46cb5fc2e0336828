// Models as files (*.ewm): one JSON document that says what it is, what it was
// trained on and how good it is. docs/formats/model.md.
#ifndef EDGEWISE_PREDICTION_MODEL_FILE_H_
#define EDGEWISE_PREDICTION_MODEL_FILE_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "prediction/latency_model.h"

namespace edgewise {

inline constexpr std::string_view kModelFormat = "edgewise-latency-model";
inline constexpr int kModelFileVersion = 1;

std::string WriteModel(const LatencyModel& model);
// Refuses what is not whole, not finite or larger than a model can be; `name`
// is what errors call the text.
Result<LatencyModel> ReadModel(std::string_view text, const std::string& name);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_MODEL_FILE_H_
