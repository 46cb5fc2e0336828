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

bool KeepsUp(const orchestration::SharedService& service, const Tenant& tenant,
             double cpu_ms) {
  const double served_s = service.service_ms * service.slow_down / kMsPerS;
  const double cpu_cores =
      tenant.replicas * tenant.rate_per_s * cpu_ms / kMsPerS;
  return service.rate_per_s * served_s < kTooMuch &&
         (!tenant.quota_cores || cpu_cores < *tenant.quota_cores);
}

}  // namespace

std::vector<std::optional<Figures>> SharingPredictor::Predict(
    const Deployment& deployment) const {
  const auto served = ServeAll(sharing_, deployment);
  std::vector<std::optional<Figures>> predictions;
  for (size_t t = 0; t < served.size(); ++t) {
    const auto response =
        KeepsUp(served[t], deployment.tenants[t],
                sharing_.apps[deployment.tenants[t].app].cpu_ms /
                    sharing_.speeds[deployment.server])
            ? orchestration::FindResponse(KeptUp(served[t]))
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
