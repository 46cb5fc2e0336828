#include "contention/sharing.h"

#include <algorithm>
#include <cmath>

#include "contention/quota_hold.h"
#include "tenants/draw.h"

namespace edgewise::contention {
namespace {

constexpr double kMsPerS = 1e3;
constexpr int kMostRounds = 60;
constexpr double kSettled = 1e-7;
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

Hold HoldBy(const Sharing& sharing, const Tenant& tenant, double speed) {
  const double cpu_s = sharing.apps[tenant.app].cpu.beside_ms / kMsPerS / speed;
  QuotaDemand demand;
  demand.quota_cores = *tenant.quota_cores;
  demand.most_cores = std::min<double>(tenant.replicas, sharing.cores);
  demand.depth = sharing.quota_depth;
  demand.service_s = cpu_s;
  demand.spread = sharing.apps[tenant.app].spread;
  // What measurements that end show, where more was asked for.
  demand.used = BelowOne(tenant.replicas * tenant.rate_per_s * cpu_s /
                         demand.quota_cores);
  return FindHold(demand);
}

// Short requests wait for others' time slices, and long ones gain what these
// lose. By tenant, 1 for one whose requests are as long as is usual.
std::vector<double> SliceWeights(const Sharing& sharing,
                                 const Deployment& deployment) {
  double usual_ms = 0;
  for (const AppTraits& app : sharing.apps) {
    usual_ms += std::log(app.service_ms);
  }
  usual_ms = std::exp(usual_ms / static_cast<double>(sharing.apps.size()));
  std::vector<double> weights;
  for (const Tenant& tenant : deployment.tenants) {
    const double service_ms = sharing.apps[tenant.app].service_ms;
    weights.push_back(deployment.stress
                          ? 1
                          : (1 + sharing.slice_ms / service_ms) /
                                (1 + sharing.slice_ms / usual_ms));
  }
  return weights;
}

// How likely another replica ran since this one's last request, so that caches
// are cold. Requests are taken to come as rarely as where the service time
// alone comes from: times must not fall where the rate rises.
double ColdChance(const Sharing& sharing, const Deployment& deployment,
                  size_t tenant) {
  double others_per_s = 0;
  for (size_t j = 0; j < deployment.tenants.size(); ++j) {
    const Tenant& other = deployment.tenants[j];
    others_per_s += (other.replicas - (j == tenant ? 1 : 0)) * other.rate_per_s;
  }
  const double own_per_s =
      tenants::kLightLoad * kMsPerS /
      sharing.apps[deployment.tenants[tenant].app].service_ms;
  return others_per_s / (others_per_s + own_per_s);
}

double ServiceS(const Sharing& sharing, const Deployment& deployment,
                size_t tenant) {
  const AppTraits& app = sharing.apps[deployment.tenants[tenant].app];
  return app.service_ms *
         (1 + app.cold * ColdChance(sharing, deployment, tenant)) / kMsPerS /
         sharing.speeds[deployment.server];
}

// How often each replica is at work and how much its requests are stretched,
// which depend on each other.
class AtWorkTogether {
 public:
  AtWorkTogether(const Sharing& sharing, const Deployment& deployment)
      : sharing_(sharing),
        deployment_(deployment),
        slices_(SliceWeights(sharing, deployment)),
        at_work_(deployment.tenants.size(), 0),
        asking_(deployment.tenants.size(), 0),
        stretches_(deployment.tenants.size(), 1),
        pressed_(sharing.apps.front().feels.size(), 0) {
    for (size_t t = 0; t < at_work_.size(); ++t) {
      services_s_.push_back(ServiceS(sharing, deployment, t));
    }
  }

  // From nobody at work upwards, which finds the least solution.
  void Settle() {
    for (int round = 0; round < kMostRounds; ++round) {
      double moved = 0;
      for (size_t t = 0; t < at_work_.size(); ++t) {
        stretches_[t] = Stretch(t);
        const Tenant& tenant = deployment_.tenants[t];
        const double now =
            AtWork(tenant.rate_per_s * stretches_[t] * services_s_[t]);
        moved = std::max(moved, now - at_work_[t]);
        SetAtWork(t, now);
      }
      if (moved < kSettled) {
        break;
      }
    }
  }

  double service_s(size_t t) const { return services_s_[t]; }
  double stretch(size_t t) const { return stretches_[t]; }

 private:
  // Who asks the kernel for a core: each replica at work; or a tenant with a
  // quota, which is a cgroup of its own, as one on each core, and no longer
  // than it may.
  double Asking(size_t t, double at_work) const {
    const Tenant& tenant = deployment_.tenants[t];
    const double all = tenant.replicas * at_work;
    return tenant.quota_cores ? std::min({sharing_.cores, all,
                                          *tenant.quota_cores * stretches_[t]})
                              : all;
  }

  void SetAtWork(size_t t, double now) {
    const Tenant& tenant = deployment_.tenants[t];
    const double asking = Asking(t, now);
    count_ += asking - asking_[t];
    asking_[t] = asking;
    for (size_t k = 0; k < pressed_.size(); ++k) {
      pressed_[k] += tenant.replicas * (now - at_work_[t]) *
                     sharing_.apps[tenant.app].intensity[k];
    }
    at_work_[t] = now;
  }

  // By all but one replica of the tenant itself.
  double Stretch(size_t t) const {
    const Tenant& tenant = deployment_.tenants[t];
    const AppTraits& app = sharing_.apps[tenant.app];
    double others = std::max(0.0, count_ - asking_[t]);
    double pressed = 0;
    for (size_t k = 0; k < pressed_.size(); ++k) {
      pressed += app.feels[k] * (pressed_[k] - at_work_[t] * app.intensity[k]);
    }
    if (deployment_.stress) {
      AddStress(app, at_work_[t], &others, &pressed);
    }
    const double siblings = (tenant.replicas - 1) * at_work_[t];
    const double taken = app.share_taken * slices_[t];
    const auto share = [&](double count) {
      return 1 + taken * TakenBy(count, sharing_.cores);
    };
    return (tenant.quota_cores
                ? share(sharing_.own_group * others) * share(siblings)
                : share(others + siblings)) *
           (1 + std::max(0.0, pressed));
  }

  // A stressor is one more thread, at work for its share of the time and
  // longer if it has to wait for a core; never more than always.
  void AddStress(const AppTraits& app, double own, double* count,
                 double* pressed) const {
    const Stress& stress = *deployment_.stress;
    const double asked =
        stress.dial * sharing_.stressor_share[stress.stressor] * (1 + own);
    *count += std::min(1.0, asked);
    if (const auto resource = sharing_.stressor_resource[stress.stressor]) {
      *pressed += app.feels[*resource] * stress.dial;
    }
  }

  const Sharing& sharing_;
  const Deployment& deployment_;
  std::vector<double> slices_;
  std::vector<double> services_s_;
  std::vector<double> at_work_;  // of each replica, by tenant
  std::vector<double> asking_;   // of all its replicas
  std::vector<double> stretches_;
  // Of all replicas: how many are at work, and what they press on.
  double count_ = 0;
  std::vector<double> pressed_;  // by resource
};

}  // namespace

std::vector<orchestration::SharedService> ServeAll(
    const Sharing& sharing, const Deployment& deployment) {
  AtWorkTogether together(sharing, deployment);
  together.Settle();
  std::vector<orchestration::SharedService> served(deployment.tenants.size());
  for (size_t t = 0; t < served.size(); ++t) {
    const Tenant& tenant = deployment.tenants[t];
    served[t].service_ms = together.service_s(t) * kMsPerS;
    served[t].spread = sharing.apps[tenant.app].spread;
    served[t].slow_down = together.stretch(t);
    served[t].uneven = sharing.uneven;
    served[t].rate_per_s = tenant.rate_per_s;
    served[t].wait = sharing.wait;
    served[t].skew = sharing.skew;
    if (tenant.quota_cores) {
      const Hold hold =
          HoldBy(sharing, tenant, sharing.speeds[deployment.server]);
      served[t].held_ms = hold.mean_s * kMsPerS;
      served[t].held_deviation_ms = hold.deviation_s * kMsPerS;
    }
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
