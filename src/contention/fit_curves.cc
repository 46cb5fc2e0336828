#include "contention/fit_curves.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "contention/least_squares.h"
#include "contention/outcome_residuals.h"
#include "stats/random.h"

namespace edgewise::contention {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kMsPerS = 1e3;
constexpr double kHighest = 1.6;  // of drawn pressures
constexpr int kDraws = 400;
constexpr uint64_t kSeed = 1;
constexpr size_t kMostTenants = 6;
constexpr uint64_t kMostReplicas = 4;
constexpr double kLeastLoad = 0.1;
constexpr double kMostLoad = 1.2;
constexpr int kMostSteps = 20;
constexpr double kWeak = 3;  // the prior of a curve weighs little
// How far measurements may move it (standard deviations of logarithms).
constexpr double kCurvePrior = 0.3;
constexpr double kLawPrior = 0.3;

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
            from.cpu.beside_ms / kMsPerS * weight;
  }
  return felt / sharing.cores / sharing.speeds[deployment.server];
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

// Parameters are logarithms.
PressureCurve CurveOf(double height, double bend) {
  return {std::exp(height), std::exp(bend)};
}

VectorXd FitThrough(const Points& points) {
  const auto count = static_cast<Index>(points.size());
  const Residuals residuals = [&](const VectorXd& at, VectorXd& to) {
    to.resize(count + at.size());
    const PressureCurve curve = CurveOf(at(0), at(1));
    for (Index i = 0; i < count; ++i) {
      const auto& [pressure, stretch] = points[static_cast<size_t>(i)];
      to(i) = std::log(stretch / curve.At(pressure));
    }
    to.tail(at.size()) = at / kWeak;
  };
  return MinimiseSquares(residuals, VectorXd::Zero(2), kMostSteps);
}

// A tenant that was measured beside others, or alone.
struct Seen {
  const Outcome* outcome;
  size_t app;
  double felt;
  double service_ms;
  double rate_per_s;
};

std::vector<Seen> SeenIn(const Campaign& campaign, const Selection& rows,
                         const Sharing& sharing) {
  std::vector<Seen> all;
  for (const size_t row : rows) {
    const Observation& observation = campaign.observations[row];
    const Deployment& deployment = observation.deployment;
    const bool with_quota = std::any_of(
        deployment.tenants.begin(), deployment.tenants.end(),
        [](const Tenant& tenant) { return tenant.quota_cores.has_value(); });
    if (deployment.stress || with_quota) {
      continue;  // not what the curve is over
    }
    for (size_t t = 0; t < deployment.tenants.size(); ++t) {
      const Tenant& tenant = deployment.tenants[t];
      all.push_back({&observation.outcomes[t], tenant.app,
                     FeltOf(sharing, deployment, t),
                     sharing.apps[tenant.app].service_ms /
                         sharing.speeds[deployment.server],
                     tenant.rate_per_s});
    }
  }
  return all;
}

// Three of the law, then two a curve; each is how far it moved from `first`.
FittedCurves Moved(const FittedCurves& first, const VectorXd& at) {
  FittedCurves moved = first;
  moved.uneven *= std::exp(at(0));
  moved.wait *= std::exp(at(1));
  moved.skew = std::min(orchestration::kMostSkew, moved.skew * std::exp(at(2)));
  Index k = 3;
  for (PressureCurve& curve : moved.curves) {
    curve.height *= std::exp(at(k++));
    curve.bend *= std::exp(at(k++));
  }
  return moved;
}

FittedCurves MoveTowards(const std::vector<Seen>& all, const Sharing& sharing,
                         const FittedCurves& first) {
  const auto count = kResidualsOfRow * static_cast<Index>(all.size());
  const auto parameters = static_cast<Index>(3 + 2 * first.curves.size());
  const Residuals residuals = [&](const VectorXd& at, VectorXd& to) {
    to.resize(count + parameters);
    const FittedCurves fitted = Moved(first, at);
    double* next = to.data();
    for (const Seen& seen : all) {
      orchestration::SharedService served;
      served.service_ms = seen.service_ms;
      served.spread = sharing.apps[seen.app].spread;
      served.slow_down = fitted.curves[seen.app].At(seen.felt);
      served.uneven = fitted.uneven;
      served.rate_per_s = seen.rate_per_s;
      served.wait = fitted.wait;
      served.skew = fitted.skew;
      WriteResiduals(served, *seen.outcome, next);
      next += kResidualsOfRow;
    }
    to.segment(count, 3) = at.head(3) / kLawPrior;
    to.tail(parameters - 3) = at.tail(parameters - 3) / kCurvePrior;
  };
  return Moved(first, MinimiseSquares(residuals, VectorXd::Zero(parameters),
                                      kMostSteps));
}

}  // namespace

double PressureCurve::At(double pressure) const {
  return std::exp(height * std::pow(pressure, bend));
}

FittedCurves FitCurves(const Campaign& campaign, const Selection& rows,
                       const Sharing& sharing) {
  FittedCurves first{{}, sharing.uneven, sharing.wait, sharing.skew};
  for (const Points& points : DrawPoints(sharing)) {
    const VectorXd at = FitThrough(points);
    first.curves.push_back(CurveOf(at(0), at(1)));
  }
  return MoveTowards(SeenIn(campaign, rows, sharing), sharing, first);
}

}  // namespace edgewise::contention
