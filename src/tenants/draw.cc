#include "tenants/draw.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace edgewise::tenants {
namespace {

constexpr double kHeavierLoad = 0.6;
// Of a replica: more than this it can hardly answer.
constexpr double kMostBusy = 0.95;
constexpr double kMsPerS = 1e3;

template <typename T>
void Shuffle(std::vector<T>& items, stats::Random& random) {
  for (size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[random.Below(i)]);
  }
}

// Somewhat more than the tenant needs, up to three times as much; nullopt: that
// is no limit on this server.
std::optional<double> DrawQuota(const Share& share, double service_ms,
                                const Server& server, stats::Random& random) {
  constexpr double kLeast = 1.1;
  constexpr double kMost = 3;
  constexpr double kLeastCores = 0.05;
  const double each = CoresOf(share.tenant, server);
  const double needed =
      each * share.replicas * share.rate_per_s * service_ms / kMsPerS;
  const double quota =
      std::max(kLeastCores,
               needed * kLeast * std::pow(kMost / kLeast, random.Uniform()));
  const double limit = std::min(each * share.replicas, server.cores());
  return quota < limit ? std::optional(std::round(quota * 100) / 100)
                       : std::nullopt;
}

// As many as fit into what is left of the server's memory; 0: none.
int MostReplicas(const Tenant& tenant, const Server& server,
                 int64_t taken_bytes) {
  if (!server.memory_bytes || tenant.memory_bytes <= 0) {
    return tenant.most_replicas;
  }
  const int64_t fit =
      (*server.memory_bytes - taken_bytes) / tenant.memory_bytes;
  return static_cast<int>(std::clamp<int64_t>(fit, 0, tenant.most_replicas));
}

double ServiceMs(const Tenant& tenant, const ServiceTimes& times) {
  const auto known = times.find(tenant.name);
  return known == times.end() ? tenant.service_ms_hint : known->second;
}

}  // namespace

ServiceTimes ServiceTimesFrom(const std::vector<Measured>& rows,
                              const std::vector<Tenant>& tenants) {
  ServiceTimes times;
  std::map<std::string, double> load;
  for (const Tenant& tenant : tenants) {
    times[tenant.name] = tenant.service_ms_hint * tenant.scale;
    load[tenant.name] = std::numeric_limits<double>::infinity();
  }
  for (const Measured& row : rows) {
    const auto known = load.find(row.tenant);
    const double requests = row.rate_per_s * row.replicas;
    if (row.kind == Kind::kBaseline && row.service_mean_ms &&
        known != load.end() && requests < known->second) {
      known->second = requests;
      times[row.tenant] = *row.service_mean_ms;
    }
  }
  return times;
}

double LightRequests(const Tenant& tenant, const DrawSettings& settings,
                     const ServiceTimes& times) {
  return kLightLoad * settings.measure_s * kMsPerS / ServiceMs(tenant, times);
}

double CoresOf(const Tenant& tenant, const Server& server) {
  return std::min(tenant.cores, server.cores());
}

Share ShareOf(const Tenant& tenant, int replicas, double busy,
              const DrawSettings& settings, const ServiceTimes& times) {
  Share share;
  share.tenant = tenant;
  share.replicas = replicas;
  // Of a replica that is always busy.
  const double full_per_s = kMsPerS / ServiceMs(tenant, times);
  const double least_per_s = std::min(
      kLeastRequests / settings.measure_s / replicas, kLightLoad * full_per_s);
  share.rate_per_s = std::clamp(busy / replicas * full_per_s, least_per_s,
                                kMostBusy * full_per_s);
  share.rate_per_s = std::min(share.rate_per_s,
                              tenant.most_rate_per_s.value_or(kMostRatePerS));
  // Three digits are as much as anybody wants to read.
  const double step =
      std::pow(10, std::floor(std::log10(share.rate_per_s)) - 2);
  share.rate_per_s = std::round(share.rate_per_s / step) * step;
  return share;
}

Deployment DrawRandom(const DrawSettings& settings, const ServiceTimes& times,
                      stats::Random& random) {
  std::vector<Tenant> order = settings.tenants;
  Shuffle(order, random);
  const size_t most = std::min(settings.most_tenants, order.size());
  const size_t count =
      most < 2 ? most : 2 + random.Below(static_cast<uint64_t>(most) - 1);
  const double load =
      settings.least_load +
      (settings.most_load - settings.least_load) * random.Uniform();
  std::vector<double> parts(count);
  double sum = 0;
  for (double& part : parts) {
    part = -std::log(random.Uniform());
    sum += part;
  }
  Deployment deployment;
  deployment.kind = Kind::kRandom;
  int64_t taken_bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    const int fit = MostReplicas(order[i], settings.server, taken_bytes);
    if (fit < 1) {
      continue;
    }
    const int replicas =
        1 + static_cast<int>(random.Below(static_cast<uint64_t>(fit)));
    taken_bytes += order[i].memory_bytes * replicas;
    const double cores = load * settings.server.cores() * parts[i] / sum;
    Share share =
        ShareOf(order[i], replicas, cores / CoresOf(order[i], settings.server),
                settings, times);
    if (settings.quotas > 0 && random.Uniform() < settings.quotas) {
      share.quota_cores =
          DrawQuota(share, ServiceMs(order[i], times), settings.server, random);
    }
    deployment.shares.push_back(std::move(share));
  }
  return deployment;
}

std::vector<Deployment> PlanBaselines(const Tenant& tenant,
                                      const DrawSettings& settings,
                                      const ServiceTimes& times) {
  std::vector<Deployment> plan;
  for (const double load : {kLightLoad, kHeavierLoad}) {
    Deployment deployment;
    deployment.kind = Kind::kBaseline;
    deployment.shares.push_back(ShareOf(tenant, 1, load, settings, times));
    if (plan.empty() || plan.front().shares.front().rate_per_s <
                            deployment.shares.front().rate_per_s) {
      plan.push_back(std::move(deployment));
    }
  }
  return plan;
}

std::vector<Deployment> PlanPairs(const DrawSettings& settings,
                                  const ServiceTimes& times,
                                  stats::Random& random) {
  std::vector<Deployment> plan;
  for (size_t i = 0; i < settings.tenants.size(); ++i) {
    for (size_t k = i + 1; k < settings.tenants.size(); ++k) {
      const Tenant& a = settings.tenants[i];
      const Tenant& b = settings.tenants[k];
      if (settings.server.memory_bytes &&
          a.memory_bytes + b.memory_bytes > *settings.server.memory_bytes) {
        continue;
      }
      Deployment deployment;
      deployment.kind = Kind::kPairwise;
      for (const Tenant& tenant : {a, b}) {
        const double half = kHeavierLoad / 2 * settings.server.cores();
        const double busy =
            std::min(half / CoresOf(tenant, settings.server), kHeavierLoad);
        deployment.shares.push_back(ShareOf(tenant, 1, busy, settings, times));
      }
      plan.push_back(std::move(deployment));
    }
  }
  Shuffle(plan, random);
  return plan;
}

std::vector<Deployment> PlanSensitivity(const DrawSettings& settings,
                                        const ServiceTimes& times,
                                        const std::vector<StressKind>& kinds,
                                        const std::vector<double>& dials,
                                        stats::Random& random) {
  std::vector<Deployment> plan;
  for (const Tenant& tenant : settings.tenants) {
    for (const StressKind kind : kinds) {
      for (const double dial : dials) {
        Deployment deployment;
        deployment.kind = Kind::kSensitivity;
        deployment.stress = StressSpec{kind, dial};
        deployment.shares.push_back(
            ShareOf(tenant, 1, kLightLoad, settings, times));
        plan.push_back(std::move(deployment));
      }
    }
  }
  Shuffle(plan, random);
  return plan;
}

}  // namespace edgewise::tenants
