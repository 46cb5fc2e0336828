// Predicted latencies, for people and for programs.
#ifndef EDGEWISE_REPORT_PREDICTION_TEXT_H_
#define EDGEWISE_REPORT_PREDICTION_TEXT_H_

#include <string>
#include <vector>

#include "prediction/predict.h"
#include "report/table.h"

namespace edgewise {

// What a network takes, the fastest first. `most`: lines shown at most.
std::string PredictionText(const Query& query,
                           const std::vector<Prediction>& ranking, size_t most,
                           const TextStyle& style);
std::string PredictionJson(const LatencyModel& model, const Query& query,
                           const std::vector<Prediction>& ranking);

// One prediction as a JSON object.
std::string OnePredictionJson(const Prediction& prediction);
// Its time and interval in words.
std::string PredictedTime(const Prediction& prediction);
std::string PredictedInterval(const Prediction& prediction);
std::string BasisWords(Basis basis);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_PREDICTION_TEXT_H_
