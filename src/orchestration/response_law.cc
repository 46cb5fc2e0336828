#include "orchestration/response_law.h"

#include <algorithm>
#include <cmath>

#include "stats/special.h"

namespace edgewise::orchestration {
namespace {

constexpr double kMsPerS = 1e3;

}  // namespace

std::optional<ResponseMoments> FindResponse(const SharedService& service) {
  const double served_ms = service.service_ms * service.slow_down;
  const double busy = service.rate_per_s * served_ms / kMsPerS;
  if (busy >= 1) {
    return std::nullopt;
  }
  // With others coming at random the number at work is geometric, and its
  // squared coefficient of variation is the share 1 - 1 ÷ slow-down.
  const double squared_spread = service.spread * service.spread +
                                service.uneven * (1 - 1 / service.slow_down);
  // Pollaczek and Khinchine's mean wait of those who wait, and an exponential
  // tail beyond.
  const double wait_if_any_ms =
      service.wait * served_ms * (1 + squared_spread) / 2 / (1 - busy);
  const double served_variance = served_ms * served_ms * squared_spread;
  const double waited_variance =
      wait_if_any_ms * wait_if_any_ms * busy * (2 - busy);
  const double held_variance =
      service.held_deviation_ms * service.held_deviation_ms;
  return ResponseMoments{
      served_ms + busy * wait_if_any_ms + service.held_ms,
      std::sqrt(served_variance + waited_variance + held_variance),
      service.skew};
}

double QuantileMs(const ResponseMoments& response, double quantile) {
  const double exponential =
      response.skew *
      std::min(1.0, std::sqrt(response.deviation_ms / response.mean_ms));
  const double deviations =
      (1 - exponential) * stats::NormalQuantile(quantile) +
      exponential * (-std::log1p(-quantile) - 1);
  return response.mean_ms + deviations * response.deviation_ms;
}

}  // namespace edgewise::orchestration
