#include "contention/median.h"

#include <algorithm>

#include "stats/quantile.h"

namespace edgewise::contention {

double AtPart(std::vector<double> figures, double part) {
  const auto rank = static_cast<long>(
      stats::PointRank(static_cast<int64_t>(figures.size()), part));
  const auto at = figures.begin() + rank - 1;
  std::nth_element(figures.begin(), at, figures.end());
  return *at;
}

double Median(std::vector<double> figures) {
  const size_t half = figures.size() / 2;
  std::sort(figures.begin(), figures.end());
  return figures.size() % 2 == 1 ? figures[half]
                                 : (figures[half - 1] + figures[half]) / 2;
}

}  // namespace edgewise::contention
