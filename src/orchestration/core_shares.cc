#include "orchestration/core_shares.h"

#include <algorithm>

namespace edgewise::orchestration {
namespace {

constexpr double kMsPerS = 1e3;

// The first resource is the cores themselves.
constexpr size_t kFirstBeside = 1;

}  // namespace

CoreShares::CoreShares(size_t resources, const ReplayServer& server,
                       const std::vector<ReplayTenant>& tenants)
    : resources_(resources) {
  const PressureRank& rank = *server.rank;
  for (const ReplayTenant& tenant : tenants) {
    Part part;
    part.app = tenant.app;
    part.feels_more = !tenant.app->cpu_ms && resources > kFirstBeside;
    const double work_s = tenant.app->service_ms / rank.speed / kMsPerS;
    for (size_t k = 0; k < resources; ++k) {
      part.exerted.push_back(tenant.app->exerts[k] / work_s / rank.capacity[k]);
    }
    part.demand =
        server.cores ? tenant.app->cores / *server.cores : part.exerted.front();
    for (const ReplayTenant& from : tenants) {
      for (size_t k = kFirstBeside; k < resources; ++k) {
        part.felt_idle += part.app->feels[k] * from.app->idle[k] *
                          from.replicas / rank.capacity[k];
      }
    }
    parts_.push_back(std::move(part));
  }
}

double CoreShares::Felt(const Part& part, const std::vector<double>& exerted,
                        double demand) const {
  // While it runs, the others have the other cores.
  const double others = demand - part.demand;
  const double room = std::max(0.0, 1 - part.demand);
  const double running = others > room ? room / others : 1;
  double felt = part.felt_idle;
  for (size_t k = kFirstBeside; k < resources_; ++k) {
    felt += part.app->feels[k] * running *
            std::max(0.0, exerted[k] - part.exerted[k]);
  }
  return felt;
}

double CoreShares::Share(const std::vector<int>& at_work,
                         std::vector<double>* speeds) const {
  double demand = 0;
  std::vector<double> exerted(resources_, 0);
  for (size_t t = 0; t < parts_.size(); ++t) {
    demand += at_work[t] * parts_[t].demand;
    for (size_t k = kFirstBeside; k < resources_; ++k) {
      exerted[k] += at_work[t] * parts_[t].exerted[k];
    }
  }
  const double share = 1 / std::max(1.0, demand);
  for (size_t t = 0; t < parts_.size(); ++t) {
    (*speeds)[t] = at_work[t] > 0 && parts_[t].feels_more
                       ? share / (1 + Felt(parts_[t], exerted, demand))
                       : share;
  }
  return share;
}

}  // namespace edgewise::orchestration
