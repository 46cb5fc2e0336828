// A server in memory: tenants with Poisson requests, a queue for each replica,
// and cores that all replicas at work share evenly.
#ifndef EDGEWISE_TESTS_CONTENTION_SIMULATED_CAMPAIGN_H_
#define EDGEWISE_TESTS_CONTENTION_SIMULATED_CAMPAIGN_H_

#include <cstdint>
#include <vector>

#include "contention/campaign.h"

namespace edgewise::contention {

struct SimulatedApp {
  double service_ms = 10;
  double spread = 0.2;
  double suffers = 0;  // slower by so much beside one full neighbour
  double intensity = 1;
};

struct SimulatedServer {
  double cores = 1;
  double seconds = 20;
  double warmup_s = 2;
};

// One row a tenant, without names of the deployment.
std::vector<tenants::Measured> Simulate(const std::vector<SimulatedApp>& apps,
                                        const SimulatedServer& server,
                                        const Deployment& deployment,
                                        uint64_t seed);

struct SimulatedPlan {
  int random = 40;
  int repeats = 6;
  double least_busy = 0.2;
  double most_busy = 0.9;
  uint64_t seed = 1;
  // Apps from this index on are measured alone and under stress only.
  size_t newcomers_from = 1000;
};

// Baselines at three rates, a CPU and a cache stressor at three dials, random
// deployments and repeats of the first of them.
std::vector<tenants::Measured> SimulateRows(
    const std::vector<SimulatedApp>& apps, const SimulatedServer& server,
    const SimulatedPlan& plan);
// The same, read.
Campaign SimulateCampaign(const std::vector<SimulatedApp>& apps,
                          const SimulatedServer& server,
                          const SimulatedPlan& plan);

// Four different apps.
std::vector<SimulatedApp> FourApps();

}  // namespace edgewise::contention

#endif  // EDGEWISE_TESTS_CONTENTION_SIMULATED_CAMPAIGN_H_
