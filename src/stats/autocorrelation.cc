#include "stats/autocorrelation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace edgewise::stats {
namespace {

constexpr double kSignificant = 1.96;
constexpr size_t kTestedLags = 10;
// Fewer samples than this on one side of a threshold do not show whether they
// come in clusters.
constexpr size_t kFewSamples = 50;

// Sums without a single chain of dependent additions.
double SumOfProducts(const double* a, const double* b, size_t size) {
  std::array<double, 4> sums = {};
  size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (size_t j = 0; j < 4; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (; i < size; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// A series with its mean taken out, and the autocorrelations of it.
class Centred {
 public:
  explicit Centred(std::span<const double> series)
      : values_(series.begin(), series.end()) {
    double sum = 0;
    for (const double value : values_) sum += value;
    const double mean = sum / static_cast<double>(values_.size());
    for (double& value : values_) value -= mean;
    squares_ = SumOfProducts(values_.data(), values_.data(), values_.size());
    // What is left of a constant series is rounding error, not spread.
    const double noise = 1e-14 * std::abs(mean);
    if (squares_ <= noise * noise * static_cast<double>(values_.size())) {
      squares_ = 0;
    }
  }

  size_t size() const { return values_.size(); }
  double variance() const {
    return squares_ / static_cast<double>(values_.size());
  }
  double Rho(size_t lag) const {
    if (lag >= values_.size()) return 0;
    return SumOfProducts(values_.data(), values_.data() + lag,
                         values_.size() - lag) /
           squares_;
  }

 private:
  std::vector<double> values_;
  double squares_ = 0;
};

bool IsPositivelyCorrelated(const Centred& series) {
  const auto n = static_cast<double>(series.size());
  const size_t lags = std::min(kTestedLags, series.size() / 4);
  double sum = 0;
  for (size_t lag = 1; lag <= lags; ++lag) {
    sum += series.Rho(lag);
    if (lag == 1 && sum * std::sqrt(n) > kSignificant) return true;
  }
  return lags > 0 &&
         sum * std::sqrt(n / static_cast<double>(lags)) > kSignificant;
}

// Geyer's initial monotone sequence: sums of adjacent pairs while positive,
// each no larger than the one before.
double GeyerTime(const Centred& series) {
  double time = -1;
  double previous = 0;
  for (size_t lag = 0; lag + 1 < series.size(); lag += 2) {
    double pair = series.Rho(lag) + series.Rho(lag + 1);
    if (pair <= 0) break;
    if (lag > 0) pair = std::min(pair, previous);
    previous = pair;
    time += 2 * pair;
  }
  return std::max(time, 1.0);
}

bool IsConstant(std::span<const double> series) {
  return std::all_of(series.begin(), series.end(),
                     [&](double value) { return value == series.front(); });
}

size_t BatchSizeFor(size_t n) { return (n + kMaxSeries - 1) / kMaxSeries; }

// The means of whole consecutive batches of value_at(0), value_at(1), ...
template <typename ValueAt>
std::vector<double> BatchMeansOf(size_t n, size_t batch_size,
                                 const ValueAt& value_at) {
  std::vector<double> means(n / batch_size);
  size_t i = 0;
  for (double& mean : means) {
    double sum = 0;
    for (size_t end = i + batch_size; i < end; ++i) sum += value_at(i);
    mean = sum / static_cast<double>(batch_size);
  }
  return means;
}

}  // namespace

std::vector<double> Autocorrelation(std::span<const double> series,
                                    size_t max_lag) {
  if (series.empty()) return {};
  const Centred centred(series);
  if (!(centred.variance() > 0)) return {};
  std::vector<double> rho(std::min(max_lag, series.size() - 1) + 1);
  for (size_t lag = 0; lag < rho.size(); ++lag) rho[lag] = centred.Rho(lag);
  return rho;
}

double EffectiveSizeOfBatches(std::span<const double> batch_means,
                              size_t batch_size, double sample_variance,
                              double n) {
  if (batch_means.size() < 4 || !(sample_variance > 0)) return n;
  const Centred series(batch_means);
  if (!(series.variance() > 0)) return n;
  const bool correlated = IsPositivelyCorrelated(series);
  const double ratio =
      static_cast<double>(batch_size) * series.variance() / sample_variance;
  const double ratio_noise = std::sqrt(2 / static_cast<double>(series.size()));
  const bool batches_vary_more =
      batch_size > 1 && ratio > 1 + kSignificant * ratio_noise;
  if (!correlated && !batches_vary_more) return n;
  const double time = ratio * (correlated ? GeyerTime(series) : 1);
  return std::clamp(n / time, 1.0, n);
}

double EffectiveSampleSize(std::span<const double> series) {
  const size_t n = series.size();
  if (n < 4 || IsConstant(series)) return static_cast<double>(n);
  const size_t batch_size = BatchSizeFor(n);
  if (batch_size <= 1) {
    return EffectiveSizeOfBatches(series, 1, Centred(series).variance(),
                                  static_cast<double>(n));
  }
  const std::vector<double> means =
      BatchMeansOf(n, batch_size, [&](size_t i) { return series[i]; });
  double sum = 0;
  for (const double value : series) sum += value;
  const double mean = sum / static_cast<double>(n);
  double squares = 0;
  for (const double value : series) squares += (value - mean) * (value - mean);
  return EffectiveSizeOfBatches(means, batch_size,
                                squares / static_cast<double>(n),
                                static_cast<double>(n));
}

double IntegratedTime(std::span<const double> series) {
  if (series.empty()) return 1;
  return static_cast<double>(series.size()) / EffectiveSampleSize(series);
}

double EffectiveSampleSizeAt(std::span<const double> series, double threshold) {
  const size_t n = series.size();
  if (n < 4) return static_cast<double>(n);
  const size_t batch_size = BatchSizeFor(n);
  const std::vector<double> means = BatchMeansOf(n, batch_size, [&](size_t i) {
    return series[i] <= threshold ? 1.0 : 0.0;
  });
  size_t below = 0;
  for (const double value : series) below += value <= threshold ? 1 : 0;
  const double share = static_cast<double>(below) / static_cast<double>(n);
  const double size = EffectiveSizeOfBatches(
      means, batch_size, share * (1 - share), static_cast<double>(n));
  if (std::min(below, n - below) >= kFewSamples) return size;
  return std::min(size, EffectiveSampleSize(series));
}

}  // namespace edgewise::stats
