#include "stats/proportion.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "stats/special.h"

namespace edgewise::stats {

Interval WilsonInterval(double hits, double n, double confidence) {
  assert(n > 0 && hits >= 0 && hits <= n);
  const double z = NormalQuantile(0.5 + confidence / 2);
  const double share = hits / n;
  const double centre = share + z * z / (2 * n);
  const double reach =
      z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  // Exact at the ends, where rounding would leave a trace.
  return {hits == 0 ? 0 : std::max(0.0, (centre - reach) / scale),
          hits == n ? 1 : std::min(1.0, (centre + reach) / scale)};
}

Interval ShareDifferenceInterval(double hits_a, double n_a, double hits_b,
                                 double n_b, double confidence) {
  const double a = hits_a / n_a;
  const double b = hits_b / n_b;
  const Interval of_a = WilsonInterval(hits_a, n_a, confidence);
  const Interval of_b = WilsonInterval(hits_b, n_b, confidence);
  return {b - a - std::hypot(b - of_b.low, of_a.high - a),
          b - a + std::hypot(of_b.high - b, a - of_a.low)};
}

double ShareDifferencePValue(double hits_a, double n_a, double hits_b,
                             double n_b) {
  const double pooled = (hits_a + hits_b) / (n_a + n_b);
  const double variance = pooled * (1 - pooled) * (1 / n_a + 1 / n_b);
  if (variance <= 0) {
    return 1;
  }
  const double z = (hits_b / n_b - hits_a / n_a) / std::sqrt(variance);
  return std::min(1.0, 2 * NormalCdf(-std::fabs(z)));
}

std::vector<double> HolmAdjusted(std::span<const double> p_values) {
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
    return p_values[x] < p_values[y];
  });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const auto left = static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, left * p_values[order[rank]]));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace edgewise::stats
