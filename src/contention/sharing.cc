#include "contention/sharing.h"

#include <algorithm>
#include <cmath>

namespace edgewise::contention {
namespace {

constexpr double kMsPerS = 1e3;
constexpr double kQuotaPeriodS = 0.1;  // the kernel's
constexpr int kMostRounds = 40;
constexpr double kSettled = 1e-6;
// How sharply the part of time at work ends at 1.
constexpr double kSharp = 4;
// From here on what would grow without end bends towards 1 instead.
constexpr double kBend = 0.8;

double BelowOne(double value) {
  return value < kBend
             ? value
             : 1 - (1 - kBend) * std::exp(-(value - kBend) / (1 - kBend));
}

// The part of time that a replica is at work if its requests would keep it at
// work for `asked`.
double AtWork(double asked) {
  return asked / std::pow(1 + std::pow(asked, kSharp), 1 / kSharp);
}

// By how much `others` at work on average take cores away.
double TakenBy(double others, double cores) {
  return others / cores * (others / (others + cores - 1 + 1e-9));
}

// A quota is a budget for each period. It stretches requests that need more
// than one budget, and those that come when it is used up: the more likely,
// the more of it the tenant needs.
double QuotaStretch(const Tenant& tenant, double service_s) {
  const double quota_cores = tenant.quota_cores.value_or(tenant.replicas);
  if (quota_cores >= tenant.replicas) {
    return 1;
  }
  const double used =
      tenant.replicas * tenant.rate_per_s * service_s / quota_cores;
  const double budgets = service_s / (quota_cores * kQuotaPeriodS);
  const double short_of = std::max(0.0, 1 / quota_cores - 1);
  return 1 + short_of * std::min(1.0, std::max(used, budgets));
}

// What is at work beside one replica.
struct Beside {
  double count = 0;
  std::vector<double> pressed;  // by resource
};

// Short requests wait for others' time slices, and long ones gain what these
// lose: cores are as busy as before. By app of the deployment, 1 on average.
std::vector<double> SliceWeights(const Sharing& sharing,
                                 const Deployment& deployment) {
  std::vector<double> weights;
  double weighed = 0;
  double load = 0;
  for (const Tenant& tenant : deployment.tenants) {
    const double service_ms = sharing.apps[tenant.app].service_ms;
    weights.push_back(1 + sharing.slice_ms / service_ms);
    const double own = tenant.replicas * tenant.rate_per_s * service_ms;
    weighed += own * weights.back();
    load += own;
  }
  for (double& weight : weights) {
    weight = deployment.stress || load <= 0 ? 1 : weight * load / weighed;
  }
  return weights;
}

// How likely another replica ran since this one's last request, so that caches
// are cold.
double ColdChance(const Deployment& deployment, size_t tenant) {
  double others_per_s = 0;
  for (size_t j = 0; j < deployment.tenants.size(); ++j) {
    const Tenant& other = deployment.tenants[j];
    others_per_s += (other.replicas - (j == tenant ? 1 : 0)) * other.rate_per_s;
  }
  return others_per_s / (others_per_s + deployment.tenants[tenant].rate_per_s);
}

double StretchBeside(const Sharing& sharing, const AppTraits& app,
                     const Beside& beside, double slice_weight) {
  double pressed = 0;
  for (size_t k = 0; k < app.feels.size(); ++k) {
    pressed += app.feels[k] * beside.pressed[k];
  }
  return (1 + app.share_taken * slice_weight *
                  TakenBy(beside.count, sharing.cores)) *
         (1 + pressed);
}

// A stressor is one more thread, at work for its share of the time and longer
// if it has to wait for a core; never more than always.
void AddStress(const Sharing& sharing, const Stress& stress, double own,
               Beside* beside) {
  const double asked =
      stress.dial * sharing.stressor_share[stress.stressor] * (1 + own);
  beside->count += std::min(1.0, asked);
  if (const auto resource = sharing.stressor_resource[stress.stressor]) {
    beside->pressed[*resource] += stress.dial;
  }
}

// Given how often each replica is at work.
std::vector<double> Stretches(const Sharing& sharing,
                              const Deployment& deployment,
                              const std::vector<double>& at_work) {
  const std::vector<double> slices = SliceWeights(sharing, deployment);
  std::vector<double> stretches;
  for (size_t t = 0; t < at_work.size(); ++t) {
    const AppTraits& app = sharing.apps[deployment.tenants[t].app];
    Beside beside{0, std::vector<double>(app.feels.size(), 0)};
    for (size_t j = 0; j < at_work.size(); ++j) {
      const Tenant& other = deployment.tenants[j];
      const double present = (other.replicas - (j == t ? 1 : 0)) * at_work[j];
      beside.count += present;
      for (size_t k = 0; k < app.feels.size(); ++k) {
        beside.pressed[k] += present * sharing.apps[other.app].intensity[k];
      }
    }
    if (deployment.stress) {
      AddStress(sharing, *deployment.stress, at_work[t], &beside);
    }
    stretches.push_back(StretchBeside(sharing, app, beside, slices[t]));
  }
  return stretches;
}

double ServiceS(const Sharing& sharing, const Deployment& deployment,
                size_t tenant) {
  const AppTraits& app = sharing.apps[deployment.tenants[tenant].app];
  return app.service_ms * (1 + app.cold * ColdChance(deployment, tenant)) /
         kMsPerS / sharing.speeds[deployment.server];
}

}  // namespace

std::vector<orchestration::SharedService> ServeAll(
    const Sharing& sharing, const Deployment& deployment) {
  const size_t count = deployment.tenants.size();
  std::vector<double> at_work(count, 0);
  std::vector<double> stretches;
  for (int round = 0; round < kMostRounds; ++round) {
    stretches = Stretches(sharing, deployment, at_work);
    double moved = 0;
    for (size_t t = 0; t < count; ++t) {
      const Tenant& tenant = deployment.tenants[t];
      const double asked =
          tenant.rate_per_s * stretches[t] * ServiceS(sharing, deployment, t);
      double now = AtWork(asked);
      if (tenant.quota_cores) {
        now = std::min(now, *tenant.quota_cores / tenant.replicas);
      }
      moved = std::max(moved, std::abs(now - at_work[t]));
      at_work[t] = now;
    }
    if (moved < kSettled) {
      break;
    }
  }
  std::vector<orchestration::SharedService> served(count);
  for (size_t t = 0; t < count; ++t) {
    const Tenant& tenant = deployment.tenants[t];
    const double service_s = ServiceS(sharing, deployment, t);
    served[t].service_ms = service_s * kMsPerS;
    served[t].spread = sharing.apps[tenant.app].spread;
    served[t].slow_down = stretches[t] * QuotaStretch(tenant, service_s);
    served[t].uneven = sharing.uneven;
    served[t].rate_per_s = tenant.rate_per_s;
    served[t].wait = sharing.wait;
    served[t].skew = sharing.skew;
  }
  return served;
}

orchestration::SharedService KeptUp(orchestration::SharedService service) {
  const double served_s = service.service_ms * service.slow_down / kMsPerS;
  service.rate_per_s = BelowOne(service.rate_per_s * served_s) / served_s;
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
