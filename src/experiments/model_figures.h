// What the Runs of a network and of the load beside it say together; private
// to measuring models.
#ifndef EDGEWISE_EXPERIMENTS_MODEL_FIGURES_H_
#define EDGEWISE_EXPERIMENTS_MODEL_FIGURES_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "experiments/measure_model.h"
#include "store/store.h"

namespace edgewise {

// Spans of the sample app `dl`.
inline constexpr const char* kItemSpan = "inference";
inline constexpr const char* kForwardSpan = "forward";
inline constexpr const char* kPreprocessSpan = "preprocess";

// Wall times in the order of their starts; empty if there is no such span.
Result<std::vector<double>> SpanTimes(const Store& store,
                                      const std::string& run_id,
                                      const std::string& span);

// Fills in all that is measured. `load` ran before the subject and beside it.
Result<void> FillFigures(const Store& store, const Run& subject,
                         const Run& load, int warmup, ModelMeasurement& row);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_MODEL_FIGURES_H_
