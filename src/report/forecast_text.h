// A forecast of tenants that share a server, as text and JSON.
#ifndef EDGEWISE_REPORT_FORECAST_TEXT_H_
#define EDGEWISE_REPORT_FORECAST_TEXT_H_

#include <string>

#include "contention/forecast.h"
#include "report/table.h"

namespace edgewise {

std::string ForecastText(const contention::DeploymentForecast& forecast,
                         const contention::Campaign& campaign,
                         const TextStyle& style);
std::string ForecastJson(const contention::DeploymentForecast& forecast,
                         const contention::Campaign& campaign);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_FORECAST_TEXT_H_
