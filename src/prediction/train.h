// Trains a model on measured latencies.
#ifndef EDGEWISE_PREDICTION_TRAIN_H_
#define EDGEWISE_PREDICTION_TRAIN_H_

#include <string>

#include "base/result.h"
#include "prediction/data_tables.h"
#include "prediction/latency_model.h"

namespace edgewise {

// A model of all that was measured, without intervals and metrics. Refuses
// data with fewer than 8 networks or 5 runs: rates need something to rest on.
Result<LatencyModel> FitModel(const LatencyData& data);

// The same with intervals and metrics from cross-validation; takes some ten
// times as long.
Result<LatencyModel> TrainModel(const LatencyData& data, std::string source);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_TRAIN_H_
