// The published predictors that ours are compared with, as published, but
// fitted to response times and to all rows there are.
#ifndef EDGEWISE_CONTENTION_BASELINES_H_
#define EDGEWISE_CONTENTION_BASELINES_H_

#include <memory>

#include "contention/predictor.h"

namespace edgewise::contention {

// PERX: the app alone, plus for each kind of neighbour a sigmoid of its load.
std::unique_ptr<ContentionPredictor> FitPerx(const Campaign& campaign,
                                             const Selection& rows);

// ScalO-RAN: a curve of the number of instances on the server.
std::unique_ptr<ContentionPredictor> FitScaloRan(const Campaign& campaign,
                                                 const Selection& rows);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_BASELINES_H_
