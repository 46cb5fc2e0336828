#include "contention/pressure_figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "contention/least_squares.h"
#include "stats/random.h"

namespace edgewise::contention {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using orchestration::PressureApp;
using orchestration::PressureFigures;

constexpr double kMsPerS = 1e3;
// Curves end here: above 1, where light tenants still keep their even share;
// the heavy ones' own queues tell that it is too much.
constexpr double kHighest = 1.6;
constexpr int kPoints = 25;
constexpr int kDraws = 400;
constexpr uint64_t kSeed = 1;
constexpr size_t kMostTenants = 6;
constexpr uint64_t kMostReplicas = 4;
constexpr double kLeastLoad = 0.1;
constexpr double kMostLoad = 1.2;
constexpr int kMostSteps = 20;
constexpr double kWeak = 3;  // the prior of a curve weighs little

// Some apps, together as busy as `load`.
Deployment DrawDeployment(const Sharing& sharing, double load,
                          stats::Random* random) {
  std::vector<size_t> apps(sharing.apps.size());
  std::iota(apps.begin(), apps.end(), size_t{0});
  const size_t count = 1 + random->Below(std::min(kMostTenants, apps.size()));
  Deployment deployment;
  double sum = 0;
  std::vector<double> weights;
  for (size_t i = 0; i < count; ++i) {
    std::swap(apps[i], apps[i + random->Below(apps.size() - i)]);
    weights.push_back(-std::log(random->Uniform()));
    sum += weights.back();
    deployment.tenants.push_back(
        {apps[i], 1 + static_cast<int>(random->Below(kMostReplicas)), 0,
         std::nullopt});
  }
  deployment.server = static_cast<size_t>(
      std::max_element(sharing.speeds.begin(), sharing.speeds.end()) -
      sharing.speeds.begin());
  for (size_t i = 0; i < count; ++i) {
    Tenant& tenant = deployment.tenants[i];
    tenant.rate_per_s = load * sharing.cores * weights[i] / sum * kMsPerS /
                        (tenant.replicas * sharing.apps[tenant.app].service_ms);
  }
  return deployment;
}

// Beside others caches are mostly cold.
double ColdMs(const AppTraits& app) { return app.service_ms * (1 + app.cold); }

// Pressures of others and what they make of the service.
using Points = std::vector<std::pair<double, double>>;

// What one replica of the tenant feels of all others, as PressureModel adds.
double FeltOf(const Sharing& sharing, const Deployment& deployment,
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
    felt += (other.replicas - (j == tenant ? 1 : 0)) * other.rate_per_s *
            ColdMs(from) / kMsPerS * weight;
  }
  return felt / sharing.cores;
}

std::vector<Points> DrawPoints(const Sharing& sharing) {
  stats::Random random(kSeed);
  std::vector<Points> points(sharing.apps.size());
  for (int draw = 0; draw < kDraws; ++draw) {
    const double load =
        kLeastLoad + (kMostLoad - kLeastLoad) * random.Uniform();
    const Deployment deployment = DrawDeployment(sharing, load, &random);
    const auto served = ServeAll(sharing, deployment);
    for (size_t t = 0; t < served.size(); ++t) {
      const double felt = FeltOf(sharing, deployment, t);
      if (felt < kHighest) {
        const size_t app = deployment.tenants[t].app;
        points[app].emplace_back(felt, served[t].service_ms *
                                           served[t].slow_down /
                                           sharing.apps[app].service_ms);
      }
    }
  }
  return points;
}

// exp(height · P^bend): finite at every pressure, since a light tenant keeps
// its even share however much the others want. Logarithms are the parameters.
double CurveAt(const VectorXd& at, double pressure) {
  return std::exp(std::exp(at(0)) * std::pow(pressure, std::exp(at(1))));
}

Points CurveThrough(const Points& points) {
  const auto count = static_cast<Index>(points.size());
  const Residuals residuals = [&](const VectorXd& at, VectorXd& to) {
    to.resize(count + at.size());
    for (Index i = 0; i < count; ++i) {
      const auto& [pressure, stretch] = points[static_cast<size_t>(i)];
      to(i) = std::log(stretch / CurveAt(at, pressure));
    }
    to.tail(at.size()) = at / kWeak;
  };
  const VectorXd fitted =
      MinimiseSquares(residuals, VectorXd::Zero(2), kMostSteps);
  Points curve;
  for (int i = 0; i <= kPoints; ++i) {
    const double part = static_cast<double>(i) / kPoints;
    const double pressure = kHighest * part;
    curve.emplace_back(pressure, CurveAt(fitted, pressure));
  }
  return curve;
}

std::vector<std::string> ResourceNames(const Campaign& campaign,
                                       const Sharing& sharing) {
  std::vector<std::string> names = {"cpu"};
  for (size_t s = 0; s < campaign.stressors.size(); ++s) {
    if (sharing.stressor_resource[s]) {
      names.push_back(campaign.stressors[s]);
    }
  }
  if (names.size() <= sharing.apps.front().feels.size()) {
    names.emplace_back("cache");  // no stressor told them apart
  }
  return names;
}

}  // namespace

std::vector<int> RanksOf(const Sharing& sharing) {
  std::vector<size_t> order(sharing.speeds.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return sharing.speeds[a] > sharing.speeds[b];
  });
  std::vector<int> ranks(order.size());
  for (size_t r = 0; r < order.size(); ++r) {
    ranks[order[r]] = static_cast<int>(r);
  }
  return ranks;
}

PressureFigures FiguresFrom(const Campaign& campaign, const Sharing& sharing) {
  PressureFigures figures;
  figures.resources = ResourceNames(campaign, sharing);
  figures.slice_ms = sharing.slice_ms;
  const std::vector<int> ranks = RanksOf(sharing);
  for (size_t s = 0; s < ranks.size(); ++s) {
    figures.ranks.push_back(
        {ranks[s], sharing.speeds[s],
         std::vector<double>(figures.resources.size(),
                             sharing.cores * sharing.speeds[s])});
  }
  std::sort(figures.ranks.begin(), figures.ranks.end(),
            [](const auto& a, const auto& b) { return a.rank < b.rank; });
  const std::vector<Points> points = DrawPoints(sharing);
  for (size_t i = 0; i < campaign.apps.size(); ++i) {
    const AppTraits& traits = sharing.apps[i];
    const double demand_s = ColdMs(traits) / kMsPerS;
    PressureApp app;
    app.name = campaign.apps[i].name;
    app.memory_bytes = campaign.apps[i].memory_bytes;
    app.service_ms = traits.service_ms;
    app.spread = traits.spread;
    app.uneven = sharing.uneven;
    app.wait = sharing.wait;
    app.skew = sharing.skew;
    app.idle.assign(figures.resources.size(), 0);
    app.exerts = {demand_s};
    app.feels = {1};
    for (size_t k = 0; k + 1 < figures.resources.size(); ++k) {
      app.exerts.push_back(demand_s * traits.intensity[k]);
      app.feels.push_back(traits.feels[k]);
    }
    app.slow_down = CurveThrough(points[i]);
    figures.apps.push_back(std::move(app));
  }
  return figures;
}

}  // namespace edgewise::contention
