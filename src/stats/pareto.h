// The generalised Pareto distribution: the shape that the part of a tail above
// a high threshold tends to (Pickands 1975).
#ifndef EDGEWISE_STATS_PARETO_H_
#define EDGEWISE_STATS_PARETO_H_

#include <optional>
#include <span>

namespace edgewise::stats {

// P(excess > y) = (1 + shape y / scale)^(-1 / shape), exp(-y / scale) for shape
// 0. A negative shape has the end point -scale / shape.
struct ParetoTail {
  double shape = 0;
  double scale = 1;

  // P(excess <= y) for y >= 0.
  double Cdf(double excess) const;
  // The excess that is exceeded with probability 0 < exceedance <= 1:
  // (scale / shape) (exceedance^(-shape) - 1).
  double ExcessAt(double exceedance) const;
};

// Fits ascending, positive excesses by probability-weighted moments (Hosking
// and Wallis 1987), plotting positions (i - 0.35) / n. Where the fitted end
// point lies below the largest excess, the shape is raised until it lies just
// above (after Dupuis and Tsao 1998). nullopt for fewer than three excesses or
// excesses that are all equal.
std::optional<ParetoTail> FitParetoTail(std::span<const double> excesses);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_PARETO_H_
