#include "stats/warmup.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/autocorrelation.h"
#include "stats/rank_selector.h"

namespace edgewise::stats {
namespace {

constexpr size_t kMinSamples = 20;
constexpr double kClipDeviations = 6;
constexpr double kSignificantErrors = 4;

double MedianOf(std::span<const double> values) {
  return RankSelector(values).At(static_cast<int64_t>(values.size() + 1) / 2);
}

// The series clipped to what the second half calls normal, minus its median.
std::vector<double> Clipped(std::span<const double> series) {
  const auto settled = series.subspan(series.size() / 2);
  const double median = MedianOf(settled);
  std::vector<double> distances;
  distances.reserve(settled.size());
  for (const double value : settled) {
    distances.push_back(std::abs(value - median));
  }
  // 1.4826 turns the median distance of a normal sample into its deviation.
  double reach = kClipDeviations * 1.4826 * MedianOf(distances);
  if (!(reach > 0))
    reach = *std::max_element(distances.begin(), distances.end());
  std::vector<double> clipped;
  clipped.reserve(series.size());
  for (const double value : series) {
    // A perfectly constant second half has no scale of its own: every other
    // value counts as one step away.
    clipped.push_back(
        reach > 0 ? std::clamp((value - median) / reach, -1.0, 1.0)
                  : static_cast<double>((value > median) - (value < median)));
  }
  return clipped;
}

}  // namespace

size_t WarmupCount(std::span<const double> series) {
  const size_t n = series.size();
  if (n < kMinSamples) return 0;
  const std::vector<double> values = Clipped(series);

  // Walk from the end, so that sums of the samples from d on are at hand.
  double sum = 0;
  double squares = 0;
  double best_error = 0;
  size_t best = n;
  for (size_t d = n; d-- > 0;) {
    sum += values[d];
    squares += values[d] * values[d];
    if (d > n / 2) continue;
    const auto kept = static_cast<double>(n - d);
    const double error = (squares - sum * sum / kept) / (kept * kept);
    if (best == n || error <= best_error) {
      best = d;
      best_error = error;
    }
  }
  if (best == 0) return 0;

  const std::span<const double> head(values.data(), best);
  const std::span<const double> rest(values.data() + best, n - best);
  const auto mean_of = [](std::span<const double> part) {
    double total = 0;
    for (const double value : part) total += value;
    return total / static_cast<double>(part.size());
  };
  const double rest_mean = mean_of(rest);
  double rest_squares = 0;
  for (const double value : rest) {
    rest_squares += (value - rest_mean) * (value - rest_mean);
  }
  const double variance = rest_squares / static_cast<double>(rest.size());
  const double rest_size = EffectiveSampleSize(rest);
  const double time = static_cast<double>(rest.size()) / rest_size;
  const double head_size = std::max(1.0, static_cast<double>(best) / time);
  const double error = std::sqrt(variance * (1 / head_size + 1 / rest_size));
  const double shift = std::abs(mean_of(head) - rest_mean);
  return shift > kSignificantErrors * error ? best : 0;
}

}  // namespace edgewise::stats
