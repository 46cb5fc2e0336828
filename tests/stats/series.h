// Seeded series with known properties, shared by the tests of this room.
#ifndef EDGEWISE_TESTS_STATS_SERIES_H_
#define EDGEWISE_TESTS_STATS_SERIES_H_

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "stats/random.h"

namespace edgewise::stats {

// Stationary, standard normal, autocorrelation phi^k at lag k.
inline std::vector<double> AutoregressiveSeries(size_t n, double phi,
                                                Random* random) {
  std::vector<double> series(n);
  double value = random->Normal();
  for (double& element : series) {
    value = phi * value + std::sqrt(1 - phi * phi) * random->Normal();
    element = value;
  }
  return series;
}

// exp(sigma z) of the same: median 1 whatever sigma and phi.
inline std::vector<double> LognormalSeries(size_t n, double sigma, double phi,
                                           Random* random) {
  std::vector<double> series = AutoregressiveSeries(n, phi, random);
  for (double& element : series) element = std::exp(sigma * element);
  return series;
}

// 1, 2, ..., n: every order statistic is its own rank.
inline std::vector<double> Ranks(size_t n) {
  std::vector<double> ranks(n);
  for (size_t i = 0; i < n; ++i) ranks[i] = static_cast<double>(i + 1);
  return ranks;
}

// The same in an order without autocorrelation.
inline std::vector<double> ShuffledRanks(size_t n, Random* random) {
  std::vector<double> ranks = Ranks(n);
  for (size_t i = n; i > 1; --i) {
    std::swap(ranks[i - 1], ranks[random->Below(i)]);
  }
  return ranks;
}

}  // namespace edgewise::stats

#endif  // EDGEWISE_TESTS_STATS_SERIES_H_
