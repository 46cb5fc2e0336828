#include "stats/repeats.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/special.h"

namespace edgewise::stats {

std::optional<Estimate> EstimateRepeats(std::span<const double> values,
                                        double confidence) {
  if (values.empty()) {
    return std::nullopt;
  }
  const bool logarithms =
      std::all_of(values.begin(), values.end(), [](double v) { return v > 0; });
  std::vector<double> x(values.begin(), values.end());
  if (logarithms) {
    std::transform(x.begin(), x.end(), x.begin(),
                   [](double v) { return std::log(v); });
  }
  const auto back = [logarithms](double v) {
    return logarithms ? std::exp(v) : v;
  };
  const auto n = static_cast<double>(x.size());
  double mean = 0;
  for (const double v : x) {
    mean += v / n;
  }
  Estimate estimate;
  estimate.value = back(mean);
  if (x.size() > 1) {
    double squares = 0;
    for (const double v : x) {
      squares += (v - mean) * (v - mean);
    }
    const double half = StudentTQuantile((1 + confidence) / 2, n - 1) *
                        std::sqrt(squares / (n - 1) / n);
    estimate.low = back(mean - half);
    estimate.high = back(mean + half);
  }
  return estimate;
}

}  // namespace edgewise::stats
