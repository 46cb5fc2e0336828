#include "stats/histogram.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

namespace edgewise::stats {
namespace {

constexpr double kAutoLogRatio = 100;

std::vector<double> FiniteOf(std::span<const double> values) {
  std::vector<double> finite;
  finite.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  return finite;
}

// Empty bins from min to max, and where a value belongs among them.
class Binning {
 public:
  Binning(double min, double max, uint64_t count, HistogramScale scale,
          size_t max_bins) {
    assert(max_bins >= 1);
    histogram_.logarithmic =
        min > 0 && scale != HistogramScale::kLinear &&
        (scale == HistogramScale::kLog || max / min > kAutoLogRatio);
    const double rice = std::ceil(2 * std::cbrt(static_cast<double>(count)));
    const size_t size =
        min < max ? std::clamp(static_cast<size_t>(rice), size_t{1}, max_bins)
                  : 1;
    // Halves, because max - min may exceed the largest double.
    begin_ = OnScale(min);
    half_width_ = (OnScale(max) / 2 - begin_ / 2) / static_cast<double>(size);
    histogram_.bins.resize(size);
    for (size_t i = 0; i < size; ++i) {
      histogram_.bins[i].low = i == 0 ? min : histogram_.bins[i - 1].high;
      const double edge = begin_ + half_width_ * static_cast<double>(i + 1) +
                          half_width_ * static_cast<double>(i + 1);
      histogram_.bins[i].high =
          i + 1 == size ? max
                        : (histogram_.logarithmic ? std::exp(edge) : edge);
    }
  }

  void Count(double value, uint64_t times) {
    // By the stored edges, so that a bin holds exactly what its edges say.
    const auto bin = std::upper_bound(
        histogram_.bins.begin(), histogram_.bins.end() - 1, value,
        [](double v, const HistogramBin& b) { return v < b.high; });
    bin->count += times;
  }

  Histogram Take() { return std::move(histogram_); }

 private:
  double OnScale(double value) const {
    return histogram_.logarithmic ? std::log(value) : value;
  }

  Histogram histogram_;
  double begin_ = 0;
  double half_width_ = 0;
};

}  // namespace

Histogram MakeHistogram(std::span<const double> values, HistogramScale scale,
                        size_t max_bins) {
  const std::vector<double> finite = FiniteOf(values);
  if (finite.empty()) return {};
  const auto [min, max] = std::minmax_element(finite.begin(), finite.end());
  Binning binning(*min, *max, finite.size(), scale, max_bins);
  for (const double value : finite) binning.Count(value, 1);
  return binning.Take();
}

Histogram MakeHistogram(const Sketch& sketch, HistogramScale scale,
                        size_t max_bins) {
  if (sketch.count() == 0) return {};
  const double min = *sketch.min();
  const double max = *sketch.max();
  Binning binning(min, max, sketch.count(), scale, max_bins);
  for (const Sketch::Bucket& bucket : sketch.Buckets()) {
    const double middle = bucket.low / 2 + bucket.high / 2;
    binning.Count(std::clamp(middle, min, max), bucket.count);
  }
  return binning.Take();
}

std::vector<CdfPoint> CdfPoints(std::span<const double> values,
                                size_t max_points) {
  assert(max_points >= 2);
  std::vector<double> sorted = FiniteOf(values);
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  const size_t n = sorted.size();
  std::vector<size_t> indices;
  if (n <= max_points) {
    for (size_t i = 0; i < n; ++i) indices.push_back(i);
  } else {
    const size_t even = max_points / 2;
    const size_t dense = max_points - even - 1;
    for (size_t i = 0; i < even; ++i) indices.push_back(i * n / even);
    for (size_t i = 1; i <= dense; ++i) {
      // n^(-i / (dense + 1)) of the samples lie above.
      const double above =
          std::pow(static_cast<double>(n),
                   1 - static_cast<double>(i) / static_cast<double>(dense + 1));
      indices.push_back(n - 1 - static_cast<size_t>(above));
    }
    indices.push_back(n - 1);
    std::sort(indices.begin(), indices.end());
  }
  std::vector<CdfPoint> points;
  for (const size_t index : indices) {
    const double value = sorted[index];
    if (!points.empty() && points.back().value == value) continue;
    const auto after =
        std::upper_bound(sorted.begin() + static_cast<std::ptrdiff_t>(index),
                         sorted.end(), value);
    points.push_back({value, static_cast<double>(after - sorted.begin()) /
                                 static_cast<double>(n)});
  }
  return points;
}

}  // namespace edgewise::stats
