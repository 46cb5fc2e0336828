#include "contention/pressure_predictor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contention/fit_sharing.h"

namespace edgewise::contention {
namespace {

using orchestration::PressureApp;
using orchestration::PressureFigures;

constexpr double kBeyond = 1.1;  // what was measured
constexpr double kHighest = 0.97;
constexpr double kLeast = 0.5;
constexpr int kPoints = 25;

// Ranks by server: 0 of the fastest.
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

double HighestMeasured(const Campaign& campaign, const Selection& rows,
                       const Sharing& sharing) {
  double highest = 0;
  for (const size_t row : rows) {
    const Observation& observation = campaign.observations[row];
    for (size_t t = 0; t < observation.outcomes.size(); ++t) {
      if (!observation.outcomes[t].saturated) {
        highest =
            std::max(highest, FeltPressure(sharing, observation.deployment, t));
      }
    }
  }
  return std::clamp(highest * kBeyond, kLeast, kHighest);
}

// Points lie closer towards the end, where the curve bends.
std::vector<std::pair<double, double>> CurveOf(const Sharing& sharing,
                                               size_t app, double highest) {
  std::vector<std::pair<double, double>> curve;
  for (int i = 0; i <= kPoints; ++i) {
    const double part = static_cast<double>(i) / kPoints;
    const double pressure = highest * (1 - (1 - part) * (1 - part));
    curve.emplace_back(pressure, StretchOf(sharing, app, pressure));
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

PressureFigures FiguresFrom(const Campaign& campaign, const Selection& rows,
                            const Sharing& sharing) {
  PressureFigures figures;
  figures.resources = ResourceNames(campaign, sharing);
  const std::vector<int> ranks = RanksOf(sharing);
  for (size_t s = 0; s < ranks.size(); ++s) {
    figures.ranks.push_back(
        {ranks[s], sharing.speeds[s],
         std::vector<double>(figures.resources.size(),
                             sharing.cores * sharing.speeds[s])});
  }
  std::sort(figures.ranks.begin(), figures.ranks.end(),
            [](const auto& a, const auto& b) { return a.rank < b.rank; });
  const double highest = HighestMeasured(campaign, rows, sharing);
  for (size_t i = 0; i < campaign.apps.size(); ++i) {
    const AppTraits& traits = sharing.apps[i];
    PressureApp app;
    app.name = campaign.apps[i].name;
    app.memory_bytes = campaign.apps[i].memory_bytes;
    app.service_ms = traits.service_ms;
    app.spread = traits.spread;
    app.uneven = sharing.uneven;
    app.wait = sharing.wait;
    app.skew = sharing.skew;
    app.idle.assign(figures.resources.size(), 0);
    app.exerts = {traits.demand_s};
    app.feels = {1};
    for (size_t k = 0; k + 1 < figures.resources.size(); ++k) {
      app.exerts.push_back(traits.demand_s * traits.intensity[k]);
      app.feels.push_back(traits.feels[k]);
    }
    app.slow_down = CurveOf(sharing, i, highest);
    figures.apps.push_back(std::move(app));
  }
  return figures;
}

Result<std::unique_ptr<PressurePredictor>> PressurePredictor::Fit(
    const Campaign& campaign, const Selection& rows) {
  auto sharing = FitSharing(campaign, rows);
  if (!sharing) {
    return sharing.error();
  }
  return std::make_unique<PressurePredictor>(campaign, rows,
                                             std::move(*sharing));
}

PressurePredictor::PressurePredictor(const Campaign& campaign,
                                     const Selection& rows, Sharing sharing)
    : sharing_(std::move(sharing)),
      ranks_(RanksOf(sharing_)),
      model_(FiguresFrom(campaign, rows, sharing_)) {}

bool PressurePredictor::HasQuotas(const Deployment& deployment) {
  return std::any_of(
      deployment.tenants.begin(), deployment.tenants.end(),
      [](const Tenant& tenant) { return tenant.quota_cores.has_value(); });
}

// Quotas are no part of the figures; what they do is not fitted either.
std::optional<orchestration::ResponseMoments> PressurePredictor::UnderQuotas(
    const Deployment& deployment, size_t tenant) const {
  const Tenant& own = deployment.tenants[tenant];
  const double wanted =
      own.replicas * own.rate_per_s * sharing_.apps[own.app].demand_s;
  if ((own.quota_cores && wanted >= *own.quota_cores) ||
      FeltPressure(sharing_, deployment, tenant) >= kHighest) {
    return std::nullopt;
  }
  orchestration::SharedService service = Serve(sharing_, deployment, tenant);
  service.rate_per_s = own.rate_per_s;
  return FindResponse(service);
}

std::vector<std::optional<Figures>> PressurePredictor::Predict(
    const Deployment& deployment) const {
  const int rank = ranks_[deployment.server];
  std::vector<std::optional<Figures>> predictions;
  for (size_t t = 0; t < deployment.tenants.size(); ++t) {
    const Tenant& own = deployment.tenants[t];
    double pressure = 0;
    for (const Tenant& other : deployment.tenants) {
      pressure += model_.Felt(
          own.app, {other.app, other.replicas, other.rate_per_s}, rank);
    }
    const auto response =
        HasQuotas(deployment)
            ? UnderQuotas(deployment, t)
            : model_.PredictMoments({own.app, own.replicas, own.rate_per_s},
                                    rank, pressure);
    predictions.push_back(response ? std::optional(FiguresOf(*response))
                                   : std::nullopt);
  }
  return predictions;
}

}  // namespace edgewise::contention
