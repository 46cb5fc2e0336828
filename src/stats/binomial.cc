#include "stats/binomial.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "stats/special.h"

namespace edgewise::stats {
namespace {

// ln(n!) minus Stirling's formula.
double StirlingError(double n) {
  if (n < 16) {
    return std::lgamma(n + 1) - (n + 0.5) * std::log(n) + n -
           0.5 * std::log(2 * std::numbers::pi);
  }
  const double square = n * n;
  return (1.0 / 12 -
          (1.0 / 360 -
           (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / square) / square) /
               square) /
              square) /
         n;
}

// x ln(x / mean) + mean - x without cancellation where x is close to mean.
double Deviance(double x, double mean) {
  const double difference = x - mean;
  if (std::abs(difference) >= 0.1 * (x + mean)) {
    return x * std::log(x / mean) - difference;
  }
  const double v = difference / (x + mean);
  double sum = difference * v;
  double term = 2 * x * v;
  for (int j = 1; j < 1000; ++j) {
    term *= v * v;
    const double next = sum + term / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

}  // namespace

double BinomialPmf(int64_t k, int64_t n, double p) {
  assert(n >= 0 && p > 0 && p < 1);
  if (k < 0 || k > n) return 0;
  const auto size = static_cast<double>(n);
  const auto hits = static_cast<double>(k);
  if (k == 0) return std::exp(size * std::log1p(-p));
  if (k == n) return std::exp(size * std::log(p));
  const double misses = size - hits;
  const double exponent = StirlingError(size) - StirlingError(hits) -
                          StirlingError(misses) - Deviance(hits, size * p) -
                          Deviance(misses, size * (1 - p));
  return std::exp(exponent) *
         std::sqrt(size / (2 * std::numbers::pi * hits * misses));
}

double BinomialCdf(int64_t k, int64_t n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  const auto size = static_cast<double>(n);
  const double odds = p / (1 - p);
  const bool lower_tail = static_cast<double>(k) < size * p;
  // Terms shrink at every step away from the mode; stop when they no longer
  // count.
  double sum = 0;
  int64_t i = lower_tail ? k : k + 1;
  double term = BinomialPmf(i, n, p);
  while (i >= 0 && i <= n && term > sum * 1e-18) {
    sum += term;
    const auto at = static_cast<double>(i);
    if (lower_tail) {
      term *= at / ((size - at + 1) * odds);
      --i;
    } else {
      term *= (size - at) * odds / (at + 1);
      ++i;
    }
  }
  return lower_tail ? sum : 1 - sum;
}

int64_t BinomialQuantile(double probability, int64_t n, double p) {
  assert(probability > 0 && probability < 1 && n >= 0);
  const auto size = static_cast<double>(n);
  const double guess =
      size * p + NormalQuantile(probability) * std::sqrt(size * p * (1 - p));
  auto k = std::clamp(static_cast<int64_t>(guess), int64_t{0}, n);
  double cdf = BinomialCdf(k, n, p);
  while (cdf < probability && k < n) cdf += BinomialPmf(++k, n, p);
  while (k > 0) {
    const double below = cdf - BinomialPmf(k, n, p);
    if (below < probability) break;
    cdf = below;
    --k;
  }
  return k;
}

}  // namespace edgewise::stats
