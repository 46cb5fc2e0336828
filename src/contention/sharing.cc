#include "contention/sharing.h"

#include <algorithm>
#include <cmath>

namespace edgewise::contention {
namespace {

constexpr double kMsPerS = 1e3;
constexpr double kQuotaPeriodS = 0.1;  // the kernel's
// From here on what would grow without end bends towards 1 instead.
constexpr double kBend = 0.9;

double BelowOne(double value) {
  return value < kBend
             ? value
             : 1 - (1 - kBend) * std::exp(-(value - kBend) / (1 - kBend));
}

// A stressor is one more thread, at work for its share of the time and longer
// if it has to wait for a core; never more than always.
double StressStretch(const Sharing& sharing, const Deployment& deployment,
                     size_t tenant) {
  if (!deployment.stress) {
    return 1;
  }
  const auto [stressor, dial] = *deployment.stress;
  const Tenant& own = deployment.tenants[tenant];
  const AppTraits& app = sharing.apps[own.app];
  const double busy = own.rate_per_s * app.demand_s;
  const double present = std::min(
      1.0, dial * sharing.stressor_share[stressor] * (1 + std::min(busy, 1.0)));
  const auto resource = sharing.stressor_resource[stressor];
  const double pressed = resource ? app.feels[*resource] * dial : 0;
  // With more cores than one, the stressor and the app meet only by chance.
  const double taken =
      app.share_taken * (1 + sharing.slice_ms / app.service_ms);
  return (1 + taken * present / sharing.cores) * (1 + pressed);
}

// A quota is a budget for each period. It stretches requests that need more
// than one budget, and those that come when it is used up: the more likely,
// the more of it the tenant needs.
double QuotaStretch(const Tenant& tenant, const AppTraits& app,
                    double quota_cores) {
  if (quota_cores >= tenant.replicas) {
    return 1;
  }
  const double used =
      tenant.replicas * tenant.rate_per_s * app.demand_s / quota_cores;
  const double budgets = app.demand_s / (quota_cores * kQuotaPeriodS);
  const double short_of = std::max(0.0, 1 / quota_cores - 1);
  return 1 + short_of * std::min(1.0, std::max(used, budgets));
}

}  // namespace

double EvenStretch(double pressure, double cores, double steepness) {
  // Sakasegawa's approximation of how often all cores are busy (1977).
  return 1 + std::pow(pressure, std::sqrt(2 * (cores + 1)) - 1) /
                 (cores * std::pow(1 - pressure, steepness));
}

double StretchOf(const Sharing& sharing, size_t app, double pressure) {
  const AppTraits& traits = sharing.apps[app];
  const double taken =
      traits.share_taken * (1 + sharing.slice_ms / traits.service_ms);
  return 1 +
         taken * (EvenStretch(pressure, sharing.cores, sharing.steepness) - 1);
}

double FeltPressure(const Sharing& sharing, const Deployment& deployment,
                    size_t tenant) {
  const AppTraits& by = sharing.apps[deployment.tenants[tenant].app];
  double felt = 0;
  for (size_t j = 0; j < deployment.tenants.size(); ++j) {
    const Tenant& other = deployment.tenants[j];
    const AppTraits& from = sharing.apps[other.app];
    double weight = 1;
    for (size_t k = 0; k < by.feels.size(); ++k) {
      weight += by.feels[k] * from.intensity[k];
    }
    const int others = other.replicas - (j == tenant ? 1 : 0);
    const double wanted = other.rate_per_s * from.demand_s;
    felt += others * weight *
            (other.quota_cores
                 ? std::min(wanted, *other.quota_cores / other.replicas)
                 : wanted);
  }
  return felt / (sharing.cores * sharing.speeds[deployment.server]);
}

orchestration::SharedService Serve(const Sharing& sharing,
                                   const Deployment& deployment,
                                   size_t tenant) {
  const Tenant& own = deployment.tenants[tenant];
  const AppTraits& app = sharing.apps[own.app];
  const double pressure = BelowOne(FeltPressure(sharing, deployment, tenant));
  orchestration::SharedService service;
  service.service_ms = app.service_ms / sharing.speeds[deployment.server];
  service.spread = app.spread;
  service.slow_down = StretchOf(sharing, own.app, pressure) *
                      StressStretch(sharing, deployment, tenant);
  if (own.quota_cores) {
    service.slow_down *= QuotaStretch(own, app, *own.quota_cores);
  }
  service.uneven = sharing.uneven;
  service.wait = sharing.wait;
  service.skew = sharing.skew;
  const double served_s = service.service_ms * service.slow_down / kMsPerS;
  service.rate_per_s = BelowOne(own.rate_per_s * served_s) / served_s;
  return service;
}

Figures FiguresOf(const orchestration::ResponseMoments& response) {
  Figures figures{response.mean_ms};
  for (size_t f = 1; f < kFigures; ++f) {
    figures[f] = orchestration::QuantileMs(response, kQuantiles[f]);
  }
  return figures;
}

}  // namespace edgewise::contention
