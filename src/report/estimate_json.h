// An estimate with its interval as JSON.
#ifndef EDGEWISE_REPORT_ESTIMATE_JSON_H_
#define EDGEWISE_REPORT_ESTIMATE_JSON_H_

#include <optional>
#include <string>

#include "stats/quantile.h"

namespace edgewise {

// {"value": 2, "low": 1, "high": 3}, or null.
std::string EstimateJson(const std::optional<stats::Estimate>& estimate);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_ESTIMATE_JSON_H_
