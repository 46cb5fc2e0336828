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

double ErrorAt(const PressureApp& app, double quantile) {
  constexpr double kUpTo = 0.95;
  constexpr double kFrom = 0.99;
  const double part =
      std::clamp((quantile - kUpTo) / (kFrom - kUpTo), 0.0, 1.0);
  return app.error + part * (app.error_p99.value_or(app.error) - app.error);
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

std::optional<ResponseMoments> PressureModel::PredictMoments(
    const Load& load, int rank, double pressure) const {
  const PressureApp& app = figures_.apps[load.app];
  // A replica serves one request at a time, so its own is no rival.
  const double others =
      pressure - Felt(load.app, {load.app, 1, load.rate_per_s}, rank);
  const auto slow_down = SlowDown(app, std::max(0.0, others));
  if (!slow_down) {
    return std::nullopt;
  }
  return FindResponse({app.service_ms / FindRank(rank)->speed, app.spread,
                       *slow_down, app.uneven, load.rate_per_s, app.wait,
                       app.skew});
}

std::optional<ResponseTime> PressureModel::Predict(const Load& load, int rank,
                                                   double pressure,
                                                   double quantile,
                                                   double confidence) const {
  const auto response = PredictMoments(load, rank, pressure);
  if (!response) {
    return std::nullopt;
  }
  const double ns = QuantileMs(*response, quantile) * kNsPerMs;
  const double factor = std::exp(stats::NormalQuantile(confidence) *
                                 ErrorAt(figures_.apps[load.app], quantile));
  return ResponseTime{ns, ns / factor, ns * factor};
}

}  // namespace edgewise::orchestration
