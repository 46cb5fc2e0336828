#include "stats/quantile.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "stats/binomial.h"

namespace edgewise::stats {
namespace {

std::optional<double> AtRank(std::span<const double> sorted,
                             std::optional<int64_t> rank) {
  if (!rank) return std::nullopt;
  return sorted[static_cast<size_t>(*rank - 1)];
}

}  // namespace

int64_t PointRank(int64_t n, double p) {
  assert(n >= 1 && p > 0 && p < 1);
  // 0.07 * 100 must be 7, although the product of the doubles is a little more.
  const double product = static_cast<double>(n) * p;
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * product;
  return std::clamp(static_cast<int64_t>(std::ceil(product - rounding)),
                    int64_t{1}, n);
}

std::optional<int64_t> UpperBoundRank(int64_t n, double p, double confidence) {
  assert(p > 0 && p < 1 && confidence > 0 && confidence < 1);
  if (n < SmallestSampleForUpperBound(p, confidence)) return std::nullopt;
  const int64_t rank = BinomialQuantile(confidence, n, p) + 1;
  return rank <= n ? std::optional(rank) : std::nullopt;
}

QuantileRanks IntervalRanks(int64_t n, double p, double confidence) {
  assert(n >= 1 && p > 0 && p < 1 && confidence > 0 && confidence < 1);
  QuantileRanks ranks;
  ranks.point = PointRank(n, p);
  const double tail = (1 - confidence) / 2;
  ranks.high = UpperBoundRank(n, p, 1 - tail);
  // The smallest k with P(<= k) >= tail is one past the largest with a smaller
  // probability, unless it hits the tail exactly.
  int64_t low = BinomialQuantile(tail, n, p);
  if (BinomialCdf(low, n, p) <= tail) ++low;
  if (low >= 1) ranks.low = low;
  return ranks;
}

QuantileRanks IntervalRanks(int64_t n, double n_effective, double p,
                            double confidence) {
  assert(n >= 1 && n_effective >= 1);
  const int64_t size =
      std::clamp(static_cast<int64_t>(n_effective), int64_t{1}, n);
  QuantileRanks ranks = IntervalRanks(size, p, confidence);
  ranks.point = PointRank(n, p);
  if (size == n) return ranks;
  const double stretch = static_cast<double>(n) / static_cast<double>(size);
  if (ranks.low) {
    const double skipped = static_cast<double>(*ranks.low - 1) * stretch;
    ranks.low = std::min(1 + static_cast<int64_t>(skipped), ranks.point);
  }
  if (ranks.high) {
    const double reached =
        std::ceil(static_cast<double>(*ranks.high) * stretch);
    ranks.high = std::clamp(static_cast<int64_t>(reached), ranks.point, n);
  }
  return ranks;
}

int64_t SmallestSampleForUpperBound(double p, double confidence) {
  assert(p > 0 && p < 1 && confidence > 0 && confidence < 1);
  return static_cast<int64_t>(std::ceil(std::log1p(-confidence) / std::log(p)));
}

int64_t SmallestSampleForInterval(double p, double confidence) {
  return SmallestSampleForUpperBound(p, (1 + confidence) / 2);
}

Estimate EstimateQuantile(std::span<const double> sorted, double p,
                          double confidence) {
  return EstimateQuantile(sorted, static_cast<double>(sorted.size()), p,
                          confidence);
}

Estimate EstimateQuantile(std::span<const double> sorted, double n_effective,
                          double p, double confidence) {
  assert(!sorted.empty());
  const QuantileRanks ranks = IntervalRanks(static_cast<int64_t>(sorted.size()),
                                            n_effective, p, confidence);
  return {.value = sorted[static_cast<size_t>(ranks.point - 1)],
          .low = AtRank(sorted, ranks.low),
          .high = AtRank(sorted, ranks.high)};
}

std::optional<double> QuantileUpperBound(std::span<const double> sorted,
                                         double p, double confidence) {
  return AtRank(sorted, UpperBoundRank(static_cast<int64_t>(sorted.size()), p,
                                       confidence));
}

double ProbabilityOfExceedingMaximum(int64_t n, double confidence) {
  assert(n >= 1 && confidence > 0 && confidence < 1);
  return -std::expm1(std::log1p(-confidence) / static_cast<double>(n));
}

}  // namespace edgewise::stats
