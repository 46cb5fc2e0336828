// How throughput grows with threads or cores: Amdahl's law and Gunther's
// Universal Scalability Law, fitted to measurements.
//
// Both are x(n) = x(1) n / (1 + s (n - 1) + k n (n - 1)). `s` is the share of
// the work that one thread does while the others wait (Amdahl 1967, where
// k = 0); `k` is the cost of keeping each pair of threads consistent (Gunther
// 1993), which makes throughput fall again beyond some n.
#ifndef EDGEWISE_STATS_SCALING_LAWS_H_
#define EDGEWISE_STATS_SCALING_LAWS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "stats/quantile.h"

namespace edgewise::stats {

// One measurement; repeats of the same n are points of their own.
struct ScalingPoint {
  double n = 1;           // threads or cores, at least 1
  double throughput = 0;  // in any unit, above 0
  // What it is worth against the others: a mean of k repeats has k.
  double weight = 1;
};

enum class ScalingLaw { kAmdahl, kUniversal };

// "Amdahl's law", "Universal Scalability Law".
std::string_view ScalingLawName(ScalingLaw law);

// Intervals are absent where the points do not exceed the parameters in
// number; an end that is absent alone has no limit ("at least 8").
struct ScalingFit {
  ScalingLaw law = ScalingLaw::kAmdahl;
  Estimate single;                  // x(1), in the unit of the points
  Estimate serial_share;            // s, from 0 to 1
  Estimate coherency;               // k, at least 0; 0 in Amdahl's law
  int64_t points = 0;               // that it was fitted to
  double largest_n = 1;             // of them: what lies beyond is extrapolated
  std::optional<double> r_squared;  // of log throughput; none without spread
  // Residual standard error of throughput; none without spare points.
  std::optional<double> residual_percent;
  // Akaike's criterion for few samples (Hurvich and Tsai 1989), less is better;
  // none below five points (Amdahl) or six.
  std::optional<double> aicc;
  // Where throughput is largest, sqrt((1 - s) / k) and at least 1; none if it
  // grows for ever (k is 0).
  std::optional<Estimate> best_n;
  // Throughput there, or what it tends to; none if it grows without limit.
  std::optional<Estimate> largest_throughput;
};

// Least squares on log throughput (relative errors), s and k within their
// bounds. Intervals are profile-likelihood ones: all values for which the rest
// can be chosen so that the residuals grow by no more than Student's t allows.
// Refused: fewer distinct n than parameters (two for Amdahl, three for the
// other), n below 1, throughput or weights that are not positive and finite.
// Deterministic.
Result<ScalingFit> FitScalingLaw(ScalingLaw law,
                                 std::span<const ScalingPoint> points,
                                 double confidence = 0.95);

// Throughput that the law foretells for n >= 1.
double ThroughputAt(const ScalingFit& fit, double n);

// The law with the lower AICc; nullopt where either has none or they differ by
// less than 2, which shows no difference.
std::optional<ScalingLaw> BetterLaw(const ScalingFit& a, const ScalingFit& b);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_SCALING_LAWS_H_
