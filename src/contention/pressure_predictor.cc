#include "contention/pressure_predictor.h"

#include <algorithm>

#include "contention/pressure_figures.h"

namespace edgewise::contention {
namespace {

constexpr double kMsPerS = 1e3;
// A replica asked for more than this of its time does not keep up. A little
// beyond 1, since rates are never exactly what they should be.
constexpr double kTooMuch = 1.15;

bool HasQuotas(const Deployment& deployment) {
  return std::any_of(
      deployment.tenants.begin(), deployment.tenants.end(),
      [](const Tenant& tenant) { return tenant.quota_cores.has_value(); });
}

}  // namespace

std::vector<std::optional<Figures>> SharingPredictor::Predict(
    const Deployment& deployment) const {
  const bool long_run = horizon_ == Horizon::kLongRun;
  const auto served = ServeAll(sharing_, deployment);
  std::vector<std::optional<Figures>> predictions;
  for (size_t t = 0; t < served.size(); ++t) {
    const Tenant& tenant = deployment.tenants[t];
    const double busy = served[t].rate_per_s * served[t].service_ms *
                        served[t].slow_down / kMsPerS;
    const double cpu_cores = tenant.replicas * tenant.rate_per_s *
                             sharing_.apps[tenant.app].cpu.beside_ms / kMsPerS /
                             sharing_.speeds[deployment.server];
    const bool keeps_up =
        busy < (long_run ? 1 : kTooMuch) &&
        (!tenant.quota_cores || cpu_cores < *tenant.quota_cores);
    const auto response =
        keeps_up ? orchestration::FindResponse(long_run ? served[t]
                                                        : KeptUp(served[t]))
                 : std::nullopt;
    predictions.push_back(response ? std::optional(FiguresOf(*response))
                                   : std::nullopt);
  }
  return predictions;
}

PressurePredictor::PressurePredictor(const Campaign& campaign,
                                     const Selection& rows,
                                     const Sharing& sharing)
    : sharing_(sharing),
      ranks_(RanksOf(sharing)),
      model_(FiguresFrom(campaign, rows, sharing)) {}

std::vector<std::optional<Figures>> PressurePredictor::Predict(
    const Deployment& deployment) const {
  if (HasQuotas(deployment)) {
    return sharing_.Predict(deployment);
  }
  const int rank = ranks_[deployment.server];
  std::vector<std::optional<Figures>> predictions;
  for (const Tenant& own : deployment.tenants) {
    double pressure = 0;
    for (const Tenant& other : deployment.tenants) {
      pressure += model_.Felt(
          own.app, {other.app, other.replicas, other.rate_per_s}, rank);
    }
    const auto response = model_.PredictMoments(
        {own.app, own.replicas, own.rate_per_s}, rank, pressure);
    predictions.push_back(response ? std::optional(FiguresOf(*response))
                                   : std::nullopt);
  }
  return predictions;
}

}  // namespace edgewise::contention
