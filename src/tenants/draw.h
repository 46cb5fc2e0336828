// Which deployments a campaign may measure.
#ifndef EDGEWISE_TENANTS_DRAW_H_
#define EDGEWISE_TENANTS_DRAW_H_

#include <map>
#include <string>
#include <vector>

#include "stats/random.h"
#include "stress/stress_spec.h"
#include "tenants/deployment.h"

namespace edgewise::tenants {

// Of a replica, where it is asked so rarely that it hardly waits.
inline constexpr double kLightLoad = 0.2;

// Milliseconds that a request takes each tenant alone.
using ServiceTimes = std::map<std::string, double>;

// From the least loaded baselines; hints where there are none.
ServiceTimes ServiceTimesFrom(const std::vector<Measured>& rows,
                              const std::vector<Tenant>& tenants);

struct DrawSettings {
  Server server;
  std::vector<Tenant> tenants;
  double measure_s = 6;
  // Of the server's cores, kept busy by all tenants together.
  double least_load = 0.2;
  double most_load = 0.95;
  size_t most_tenants = 6;  // of one deployment
  double quotas = 0;        // part of random tenants that get one
};

// Requests that must come while a tenant is measured to say anything.
inline constexpr double kLeastRequests = 30;
// Requests that come to a replica in that time if it is lightly loaded.
double LightRequests(const Tenant& tenant, const DrawSettings& settings,
                     const ServiceTimes& times);

// How many cores a busy replica takes: what the tenant says, or all there are.
double CoresOf(const Tenant& tenant, const Server& server);

// A share in which `busy` replicas are at work on average; a replica answers
// one request at a time, so that it is at most busy itself. The rate is raised
// where too few requests would come to say anything, but not beyond a light
// load, and it is no more than a replica can answer.
Share ShareOf(const Tenant& tenant, int replicas, double busy,
              const DrawSettings& settings, const ServiceTimes& times);

// Some tenants at random loads, so that all loads of the server are drawn
// equally often, unless it has more cores than the replicas can keep busy.
Deployment DrawRandom(const DrawSettings& settings, const ServiceTimes& times,
                      stats::Random& random);

// A tenant alone at a light, then at a heavier load; only one where its highest
// rate is no more than light.
std::vector<Deployment> PlanBaselines(const Tenant& tenant,
                                      const DrawSettings& settings,
                                      const ServiceTimes& times);
// Every two tenants together, in random order.
std::vector<Deployment> PlanPairs(const DrawSettings& settings,
                                  const ServiceTimes& times,
                                  stats::Random& random);
// Each tenant beside each stressor at each dial, in random order.
std::vector<Deployment> PlanSensitivity(const DrawSettings& settings,
                                        const ServiceTimes& times,
                                        const std::vector<StressKind>& kinds,
                                        const std::vector<double>& dials,
                                        stats::Random& random);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_DRAW_H_
