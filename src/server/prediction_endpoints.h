// The endpoints that predict.
#ifndef EDGEWISE_SERVER_PREDICTION_ENDPOINTS_H_
#define EDGEWISE_SERVER_PREDICTION_ENDPOINTS_H_

#include "server/predictor.h"
#include "server/service.h"

namespace edgewise {

// `predictor` must outlive the service. `access`: of those that predict.
void AddPredictionEndpoints(Service& service, Predictor& predictor,
                            http::Access access);

// What their bodies look like, as members of a JSON object.
extern const char kPredictionSchemas[];

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_PREDICTION_ENDPOINTS_H_
