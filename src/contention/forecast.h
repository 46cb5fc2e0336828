// Forecast: response times of tenants that nobody has deployed together yet.
#ifndef EDGEWISE_CONTENTION_FORECAST_H_
#define EDGEWISE_CONTENTION_FORECAST_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "contention/campaign.h"
#include "contention/evaluate.h"
#include "stats/quantile.h"

namespace edgewise::contention {

// One tenant, as it is asked about.
struct Asked {
  std::string app;
  int replicas = 1;
  double rate_per_s = 0;  // of each replica
  std::optional<double> quota_cores;
};

// "lstm:rate=20,replicas=2,quota=0.4"; the rate is needed.
Result<Asked> ParseAsked(const std::string& text);

// The deployment of them on the server with that name (empty: the only one).
// kNotFound: an app or a server that the campaign has not.
Result<Deployment> DeploymentOf(const Campaign& campaign,
                                const std::vector<Asked>& asked,
                                const std::string& server);

struct DeploymentForecast {
  Deployment deployment;
  // By tenant; nullopt: requests come faster than they are answered. Ends of
  // 90% intervals are nullopt with too few random deployments.
  std::vector<std::optional<std::array<stats::Estimate, kFigures>>> tenants;
  // Of p95, of deployments that had been held out; nullopt likewise.
  std::optional<stats::Estimate> error;
  double wanted_cores = 0;  // of processor time, by all
};

Result<DeploymentForecast> ForecastDeployment(const Campaign& campaign,
                                              const Deployment& deployment,
                                              const EvaluateSettings& settings);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_FORECAST_H_
