// A small network on the set of tenants, as NeuRO's: each neighbour adds an
// embedding of its app weighed by its load, the sum goes through one layer.
//
// The order of tenants does not matter. Weights from load to time are never
// negative, so predictions never fall when a load rises. Quantiles are sorted.
#ifndef EDGEWISE_CONTENTION_SET_MODEL_H_
#define EDGEWISE_CONTENTION_SET_MODEL_H_

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "contention/predictor.h"

namespace edgewise::contention {

struct SetTraining {
  int epochs = 600;
  double step = 0.02;
  uint64_t seed = 1;
};

// Rows with a stressor are left out. The same input gives the same output.
// kInvalid: as FindAlone.
Result<std::unique_ptr<ContentionPredictor>> FitSetModel(
    const Campaign& campaign, const Selection& rows,
    const SetTraining& training);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_SET_MODEL_H_
