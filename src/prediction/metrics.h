// How good predictions are: errors, ranks, and what picking a device by them
// would have cost.
#ifndef EDGEWISE_PREDICTION_METRICS_H_
#define EDGEWISE_PREDICTION_METRICS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prediction/conformal.h"

namespace edgewise {

// What was predicted of one run and network while its group was held out.
struct Forecast {
  size_t run = 0;
  size_t network = 0;
  std::string device;
  std::string group;
  double actual_log_ms = 0;
  double predicted_log_ms = 0;
};

// Shares and errors as fractions (0.11 is 11%); nullopt: too few forecasts.
struct Metrics {
  int64_t forecasts = 0;
  std::optional<double> mape;
  std::optional<double> median_ape;
  std::optional<double> within_10;
  std::optional<double> within_20;
  // Spearman's, over the runs of a network; the mean over networks.
  std::optional<double> rank_correlation;
  // Of three devices picked at random, the fastest is named.
  std::optional<double> fastest_of_3;
  // By how much the named one is slower than the fastest, on average.
  std::optional<double> regret;
  // 90% intervals: the share of held-out figures within, and their factors.
  std::optional<double> coverage;
  std::optional<IntervalWidth> width;
};

inline constexpr double kIntervalCoverage = 0.9;

Metrics Judge(const std::vector<Forecast>& forecasts);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_METRICS_H_
