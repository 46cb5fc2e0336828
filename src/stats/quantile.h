// Quantiles as order statistics, with intervals that hold for any continuous
// distribution because they rest on ranks alone.
//
// With x(1) <= ... <= x(n) the sorted samples, the number of samples at or
// below the true p-quantile is Bin(n, p); that is all that is used (Wilks 1941;
// David and Nagaraja 2003, section 7.1). Where too few samples exist for an
// end of an interval, that end is absent: "insufficient samples".
#ifndef EDGEWISE_STATS_QUANTILE_H_
#define EDGEWISE_STATS_QUANTILE_H_

#include <cstdint>
#include <optional>
#include <span>

namespace edgewise::stats {

// A figure and the ends of its two-sided interval, each absent where the
// samples do not support it.
struct Estimate {
  double value = 0;
  std::optional<double> low;
  std::optional<double> high;
  // Both ends exist: the interval may be quoted.
  bool sufficient() const { return low.has_value() && high.has_value(); }
};

// One-based ranks of the order statistics that make an Estimate.
struct QuantileRanks {
  int64_t point = 1;
  std::optional<int64_t> low;
  std::optional<int64_t> high;
};

// The rank of the point estimate of the p-quantile, ceil(n p) and at least 1:
// the smallest sample with at least the share p of all samples at or below it
// (the inverse of the empirical distribution function, type 1 of Hyndman and
// Fan 1996). Needs n >= 1 and 0 < p < 1.
int64_t PointRank(int64_t n, double p);

// The smallest rank r with P(Bin(n, p) <= r - 1) >= confidence: x(r) is then an
// upper bound of the p-quantile at that confidence. nullopt if even x(n) is
// not.
std::optional<int64_t> UpperBoundRank(int64_t n, double p, double confidence);

// Two-sided interval with equal tails. low is the largest l >= 1 with
// P(Bin(n, p) <= l - 1) <= (1 - confidence) / 2; high the smallest u <= n with
// P(Bin(n, p) <= u - 1) >= (1 + confidence) / 2.
QuantileRanks IntervalRanks(int64_t n, double p, double confidence = 0.95);

// The same for n autocorrelated samples worth only n_effective independent
// ones (1 <= n_effective <= n): ranks l, u are found for floor(n_effective)
// samples and stretched to n, as 1 + floor((l - 1) s) and ceil(u s) with
// s = n / floor(n_effective). The interval is never narrower than the one for
// independent samples of size n_effective, and equal to it if n_effective = n.
QuantileRanks IntervalRanks(int64_t n, double n_effective, double p,
                            double confidence);

// The least n for which UpperBoundRank exists: ceil(ln(1 - c) / ln p).
int64_t SmallestSampleForUpperBound(double p, double confidence);
// The least n for which IntervalRanks has a high end.
int64_t SmallestSampleForInterval(double p, double confidence = 0.95);

// The p-quantile of ascending, finite, non-empty samples.
Estimate EstimateQuantile(std::span<const double> sorted, double p,
                          double confidence = 0.95);
Estimate EstimateQuantile(std::span<const double> sorted, double n_effective,
                          double p, double confidence);

// A one-sided upper bound of the p-quantile from ascending samples; nullopt is
// "insufficient samples".
std::optional<double> QuantileUpperBound(std::span<const double> sorted,
                                         double p, double confidence);

// The observed maximum is no bound on what may come: with this confidence the
// probability that the next sample exceeds the maximum of n >= 1 is at most
// 1 - (1 - confidence)^(1 / n), about 3 / n at 95%.
double ProbabilityOfExceedingMaximum(int64_t n, double confidence);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_QUANTILE_H_
