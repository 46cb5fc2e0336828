#include "contention/train.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "base/units.h"
#include "contention/error_figures.h"
#include "contention/fit_sharing.h"
#include "contention/median.h"
#include "contention/pressure_figures.h"
#include "stats/special.h"

namespace edgewise::contention {
namespace {

constexpr double kLeastError = 0.02;
constexpr double kMostError = 2;  // that the file may hold
// Errors of one app are mixed with those of all as if so many more of these
// had been measured.
constexpr size_t kLent = 20;
// The most of a server that others may want where a promise is given. Beyond
// it, a campaign sees seconds of queues that would grow for hours.
constexpr double kMostPromised = 0.9;

// The error by which `misses` (log of measured ÷ predicted) stay below the
// upper end as often as promised, at the confidence promises usually have.
double ErrorOf(const std::vector<double>& misses) {
  constexpr double kConfidence = 0.9;
  return std::clamp(
      AtPart(misses, kConfidence) / stats::NormalQuantile(kConfidence),
      kLeastError, kMostError);
}

// Several servers with their ranks: servers.yaml asks for these.
std::string Basis(const Campaign& campaign, const std::vector<int>& ranks,
                  const std::string& date) {
  std::vector<std::string> servers;
  for (size_t s = 0; s < campaign.servers.size(); ++s) {
    servers.push_back(
        campaign.servers[s].name +
        (ranks.size() > 1 ? " (rank " + std::to_string(ranks[s]) + ")" : ""));
  }
  return "measured on " + Join(servers, ", ") + ", " +
         FormatCount(static_cast<int64_t>(campaign.observations.size()),
                     "deployment") +
         ", " + date;
}

// By app, of one figure. A queue that grew though a figure was foretold is a
// miss beyond all.
std::vector<double> ErrorsOf(const Campaign& campaign,
                             const PredictorErrors& errors, size_t figure) {
  std::vector<double> all;
  std::vector<std::vector<double>> by_app(campaign.apps.size());
  const auto add = [&](size_t app, double miss) {
    by_app[app].push_back(miss);
    all.push_back(miss);
  };
  for (const Forecast& forecast : errors.figures[figure].held_out) {
    const Observation& of = campaign.observations[forecast.observation];
    add(of.deployment.tenants[forecast.tenant].app,
        forecast.predicted_ms
            ? std::log(forecast.measured_ms / *forecast.predicted_ms)
            : 0);  // "never" is on the safe side
  }
  for (const size_t app : errors.unforetold) {
    add(app, std::numeric_limits<double>::infinity());
  }
  std::sort(all.begin(), all.end());
  std::vector<double> by_app_errors;
  for (std::vector<double>& misses : by_app) {
    for (size_t i = 0; i < kLent; ++i) {
      misses.push_back(all[(2 * i + 1) * all.size() / (2 * kLent)]);
    }
    by_app_errors.push_back(ErrorOf(misses));
  }
  return by_app_errors;
}

void SetErrors(const Campaign& campaign, const PredictorErrors& errors,
               orchestration::PressureFigures* figures) {
  const std::vector<double> p95 = ErrorsOf(campaign, errors, kP95);
  for (size_t app = 0; app < p95.size(); ++app) {
    figures->apps[app].error = p95[app];
  }
  if (errors.figures[kP99].held_out.size() >= kLeastForecasts) {
    const std::vector<double> p99 = ErrorsOf(campaign, errors, kP99);
    for (size_t app = 0; app < p99.size(); ++app) {
      figures->apps[app].error_p99 = std::max(p95[app], p99[app]);
    }
  }
}

// Curves whose last point is at kMostPromised: nothing is known beyond.
void EndCurves(orchestration::PressureFigures* figures) {
  for (orchestration::PressureApp& app : figures->apps) {
    auto& curve = app.slow_down;
    const auto beyond = std::upper_bound(
        curve.begin(), curve.end(), kMostPromised,
        [](double most, const auto& point) { return most < point.first; });
    if (beyond == curve.begin() || beyond == curve.end()) {
      continue;
    }
    const auto [below_at, below] = *(beyond - 1);
    const double part = (kMostPromised - below_at) / (beyond->first - below_at);
    const double end = below + part * (beyond->second - below);
    curve.erase(beyond, curve.end());
    if (below_at < kMostPromised) {
      curve.emplace_back(kMostPromised, end);
    }
  }
}

}  // namespace

Result<TrainedPressures> TrainPressures(const Campaign& campaign,
                                        const std::string& date,
                                        const EvaluateSettings& settings) {
  auto errors = EvaluatePressure(campaign, settings);
  if (!errors) {
    return errors.error();
  }
  if (errors->figures[kP95].held_out.empty()) {
    return Error{ErrorCode::kInvalid,
                 "no random deployment has a p95: measure for longer, or at "
                 "higher rates, with edgewise contend random"};
  }
  const auto sharing = FitSharing(campaign, Everything(campaign));
  if (!sharing) {
    return sharing.error();
  }
  TrainedPressures trained{
      FiguresFrom(campaign, Everything(campaign), *sharing),
      std::move(*errors)};
  trained.figures.basis = Basis(campaign, RanksOf(*sharing), date);
  SetErrors(campaign, trained.errors, &trained.figures);
  EndCurves(&trained.figures);
  return trained;
}

}  // namespace edgewise::contention
