#include "orchestration/pressure_model.h"

#include <algorithm>
#include <cmath>

#include "stats/special.h"

namespace edgewise::orchestration {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kMsPerS = 1e3;

std::optional<double> SlowDown(const PressureApp& app, double pressure) {
  const auto& curve = app.slow_down;
  if (curve.empty() || pressure > curve.back().first) {
    return std::nullopt;
  }
  const auto after = std::upper_bound(
      curve.begin(), curve.end(), pressure,
      [](double value, const auto& point) { return value < point.first; });
  if (after == curve.begin()) {
    return after->second;
  }
  if (after == curve.end()) {
    return curve.back().second;
  }
  const auto before = after - 1;
  const double part =
      (pressure - before->first) / (after->first - before->first);
  return before->second + part * (after->second - before->second);
}

// The quantile of a lognormal service time plus that of the waiting time of an
// M/G/1 queue, whose tail is taken as exponential. Adding both is on the safe
// side, and rises with the service time.
std::optional<double> ResponseMs(double service_ms, double spread,
                                 double rate_per_s, double quantile) {
  const double busy = rate_per_s * service_ms / kMsPerS;
  if (busy >= 1) {
    return std::nullopt;
  }
  const double log_variance = std::log1p(spread * spread);
  const double served = service_ms * std::exp(stats::NormalQuantile(quantile) *
                                                  std::sqrt(log_variance) -
                                              log_variance / 2);
  const double wait_if_any =
      service_ms * (1 + spread * spread) / 2 / (1 - busy);
  const double waited =
      wait_if_any * std::max(0.0, std::log(busy / (1 - quantile)));
  return served + waited;
}

}  // namespace

PressureModel::PressureModel(PressureFigures figures)
    : figures_(std::move(figures)) {
  for (const PressureApp& app : figures_.apps) {
    names_.push_back(app.name);
  }
}

const PressureRank* PressureModel::FindRank(int rank) const {
  const auto found =
      std::find_if(figures_.ranks.begin(), figures_.ranks.end(),
                   [rank](const PressureRank& r) { return r.rank == rank; });
  return found == figures_.ranks.end() ? nullptr : &*found;
}

bool PressureModel::KnowsRank(int rank) const {
  return FindRank(rank) != nullptr;
}

std::optional<int64_t> PressureModel::MemoryBytes(size_t app) const {
  return figures_.apps[app].memory_bytes;
}

double PressureModel::Felt(size_t by, const Load& load, int rank) const {
  const PressureRank* const server = FindRank(rank);
  const PressureApp& from = figures_.apps[load.app];
  double felt = 0;
  for (size_t k = 0; k < figures_.resources.size(); ++k) {
    felt += figures_.apps[by].feels[k] *
            (from.idle[k] + load.rate_per_s * from.exerts[k]) /
            server->capacity[k];
  }
  return felt * load.replicas;
}

double PressureModel::BusyShare(const Load& load, int rank) const {
  const PressureApp& app = figures_.apps[load.app];
  return load.replicas * (app.idle[0] + load.rate_per_s * app.exerts[0]) /
         FindRank(rank)->capacity[0];
}

double PressureModel::BusyCores(const Load& load) const {
  const PressureApp& app = figures_.apps[load.app];
  return load.rate_per_s * app.service_ms / kMsPerS * app.cores;
}

std::optional<ResponseTime> PressureModel::Predict(const Load& load, int rank,
                                                   double pressure,
                                                   double quantile,
                                                   double confidence) const {
  const PressureApp& app = figures_.apps[load.app];
  const auto slow_down = SlowDown(app, pressure);
  if (!slow_down) {
    return std::nullopt;
  }
  const auto ms =
      ResponseMs(app.service_ms * *slow_down / FindRank(rank)->speed,
                 app.spread, load.rate_per_s, quantile);
  if (!ms) {
    return std::nullopt;
  }
  const double factor = std::exp(stats::NormalQuantile(confidence) * app.error);
  return ResponseTime{*ms * kNsPerMs, *ms / factor * kNsPerMs,
                      *ms * factor * kNsPerMs};
}

}  // namespace edgewise::orchestration
