#include "stats/gates.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "stats/autocorrelation.h"
#include "stats/special.h"

namespace edgewise::stats {
namespace {

constexpr double kLevel = 0.05;
constexpr double kKpssCritical = 0.463;

}  // namespace

GateStatistic LjungBox(std::span<const double> series, size_t lags) {
  assert(lags >= 1 && series.size() > lags);
  GateStatistic gate;
  gate.critical = ChiSquareQuantile(1 - kLevel, static_cast<double>(lags));
  const std::vector<double> rho = Autocorrelation(series, lags);
  const auto n = static_cast<double>(series.size());
  for (size_t lag = 1; lag < rho.size(); ++lag) {
    gate.statistic += rho[lag] * rho[lag] / (n - static_cast<double>(lag));
  }
  gate.statistic *= n * (n + 2);
  return gate;
}

GateStatistic Kpss(std::span<const double> series) {
  GateStatistic gate;
  gate.critical = kKpssCritical;
  const auto n = static_cast<double>(series.size());
  const auto lags = static_cast<size_t>(12 * std::pow(n / 100, 0.25));
  const std::vector<double> rho = Autocorrelation(series, lags);
  if (rho.empty()) return gate;
  double time = 1;
  for (size_t lag = 1; lag < rho.size(); ++lag) {
    const double weight =
        1 - static_cast<double>(lag) / static_cast<double>(lags + 1);
    time += 2 * weight * rho[lag];
  }
  double sum = 0;
  for (const double value : series) sum += value;
  const double mean = sum / n;
  double squares = 0;
  double partial = 0;
  double partial_squares = 0;
  for (const double value : series) {
    squares += (value - mean) * (value - mean);
    partial += value - mean;
    partial_squares += partial * partial;
  }
  const double long_run_variance = squares / n * time;
  gate.statistic = partial_squares / (n * n * long_run_variance);
  return gate;
}

double AndersonDarling(std::span<const double> probabilities) {
  const size_t size = probabilities.size();
  const auto n = static_cast<double>(size);
  double sum = 0;
  for (size_t i = 0; i < size; ++i) {
    // Kept off 0 and 1, where a fitted distribution may put an end sample.
    const double low = std::max(probabilities[i], 1e-15);
    const double high = std::min(probabilities[size - 1 - i], 1 - 1e-15);
    sum += static_cast<double>(2 * i + 1) * (std::log(low) + std::log1p(-high));
  }
  return -n - sum / n;
}

}  // namespace edgewise::stats
