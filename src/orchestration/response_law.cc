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
  const double deviation_ms =
      std::sqrt(served_variance + waited_variance + held_variance);
  return ResponseMoments{
      served_ms + busy * wait_if_any_ms + service.held_ms, deviation_ms,
      service.skew * std::min(1.0, std::sqrt(deviation_ms / served_ms))};
}

double QuantileMs(const ResponseMoments& response, double quantile) {
  // Below about p85 the exponential one is the lower of the two, and to lean on
  // it would let quantiles fall where the spread rises.
  const double normal = stats::NormalQuantile(quantile);
  const double tail = std::max(0.0, -std::log1p(-quantile) - 1 - normal);
  const double deviations = normal + response.exponential * tail;
  return response.mean_ms + deviations * response.deviation_ms;
}

}  // namespace edgewise::orchestration
