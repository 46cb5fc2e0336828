// What the HTTP server counts, as metrics.
#ifndef EDGEWISE_SERVER_TRAFFIC_METRICS_H_
#define EDGEWISE_SERVER_TRAFFIC_METRICS_H_

#include <vector>

#include "http/exposition.h"
#include "http/router.h"
#include "http/traffic.h"

namespace edgewise {

void AddTrafficMetrics(const http::Traffic& traffic,
                       const std::vector<http::Route>& routes,
                       http::Exposition& exposition);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_TRAFFIC_METRICS_H_
