#include "contention/outcome_residuals.h"

#include <algorithm>
#include <cmath>

#include "contention/least_squares.h"
#include "contention/sharing.h"

namespace edgewise::contention {
namespace {

constexpr double kLeastSpread = 0.05;
// Beyond so many standard errors a figure's pull fades.
constexpr double kOutlier = 2;

// How exactly n requests tell a figure, relative to it: that of a quantile of
// exponential times; and what no number of requests averages away.
constexpr std::array<double, kFigures> kErrorOfOne = {1.0, 1.25, 1.45, 2.2};
constexpr double kErrorOfMany = 0.1;

}  // namespace

void WriteResiduals(const orchestration::SharedService& served,
                    const Outcome& outcome, double* to) {
  std::fill(to, to + kResidualsOfRow, 0.0);
  const auto response = orchestration::FindResponse(KeptUp(served));
  if (!response) {
    return;  // KeptUp keeps it from being so
  }
  const Figures figures = FiguresOf(*response);
  const double n = std::max<double>(1, static_cast<double>(outcome.completed));
  const auto weigh = [n](double log_ratio, double error_of_one) {
    return Robust(
        log_ratio / std::hypot(kErrorOfMany, error_of_one / std::sqrt(n)),
        kOutlier);
  };
  for (size_t f = 0; f < kFigures; ++f) {
    if (outcome.response_ms[f]) {
      to[f] =
          weigh(std::log(*outcome.response_ms[f] / figures[f]), kErrorOfOne[f]);
    } else if (outcome.at_least_ms[f]) {
      to[f] =
          weigh(std::max(0.0, std::log(*outcome.at_least_ms[f] / figures[f])),
                kErrorOfOne[f]);
    }
  }
  if (outcome.service_mean_ms && *outcome.service_mean_ms > 0 &&
      !outcome.saturated) {
    const double mean_ms = served.service_ms * served.slow_down;
    to[kFigures] = weigh(std::log(*outcome.service_mean_ms / mean_ms), 1);
    if (outcome.service_sd_ms && outcome.completed >= 20) {
      const double measured = std::max(
          kLeastSpread, *outcome.service_sd_ms / *outcome.service_mean_ms);
      const double spread =
          std::sqrt(served.spread * served.spread +
                    served.uneven * (1 - 1 / served.slow_down));
      to[kFigures + 1] = weigh(std::log(measured / spread) / 2, 1);
    }
  }
}

}  // namespace edgewise::contention
