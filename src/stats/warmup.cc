#include "stats/warmup.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/autocorrelation.h"
#include "stats/rank_selector.h"
#include "stats/special.h"

namespace edgewise::stats {
namespace {

constexpr size_t kMinSamples = 20;
constexpr double kClipDeviations = 8;
constexpr double kSignificantErrors = 5;

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

double MeanOf(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// s^2(d) / (n - d) for d = 0, ..., n / 2, up to a constant factor.
std::vector<double> MarginalErrors(std::span<const double> values) {
  const size_t n = values.size();
  std::vector<double> errors(n / 2 + 1);
  double sum = 0;
  double squares = 0;
  for (size_t d = n; d-- > 0;) {
    sum += values[d];
    squares += values[d] * values[d];
    if (d >= errors.size()) continue;
    const auto kept = static_cast<double>(n - d);
    errors[d] = (squares - sum * sum / kept) / (kept * kept);
  }
  return errors;
}

// Whether the first `count` values lie significantly apart from the rest.
bool HeadDiffers(std::span<const double> values, size_t count) {
  const auto rest = values.subspan(count);
  const double rest_mean = MeanOf(rest);
  double squares = 0;
  for (const double value : rest) {
    squares += (value - rest_mean) * (value - rest_mean);
  }
  const auto rest_count = static_cast<double>(rest.size());
  const double rest_size = EffectiveSampleSize(rest);
  if (rest_size < 3) return false;
  const double time = rest_count / rest_size;
  const double head_size = std::max(1.0, static_cast<double>(count) / time);
  const double error =
      std::sqrt(squares / rest_count * (1 / head_size + 1 / rest_size));
  const double limit =
      -StudentTQuantile(NormalCdf(-kSignificantErrors), rest_size - 1);
  const double shift = std::abs(MeanOf(values.first(count)) - rest_mean);
  return shift > limit * error;
}

}  // namespace

size_t WarmupCount(std::span<const double> series) {
  if (series.size() < kMinSamples) return 0;
  const std::vector<double> values = Clipped(series);
  const std::vector<double> errors = MarginalErrors(values);
  size_t limit = errors.size();
  while (limit > 1) {
    const auto best = static_cast<size_t>(
        std::min_element(errors.begin(),
                         errors.begin() + static_cast<std::ptrdiff_t>(limit)) -
        errors.begin());
    if (best == 0) return 0;
    if (HeadDiffers(values, best)) return best;
    limit = std::min((limit + 1) / 2, best);
  }
  return 0;
}

}  // namespace edgewise::stats
