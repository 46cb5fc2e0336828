// Is B faster than A? A ratio, its 95% interval, and a verdict.
//
// Ratios are B over A of something where less is better (time, memory). A
// verdict of "faster" or "slower" is given only if the whole interval lies on
// one side of 1.
#ifndef EDGEWISE_STATS_COMPARE_H_
#define EDGEWISE_STATS_COMPARE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace edgewise::stats {

enum class Verdict {
  kFaster,        // the interval lies below 1
  kSlower,        // the interval lies above 1
  kNoDifference,  // it contains 1: no difference shown, not "equal"
  kInsufficient,  // no interval can be given; `reason` says why
};

// "faster", "slower", "no difference shown", "insufficient samples".
std::string_view VerdictText(Verdict verdict);

struct Comparison {
  Verdict verdict = Verdict::kInsufficient;
  // B over A; nullopt where either side has no positive figure.
  std::optional<double> ratio;
  // The ends of the interval, both or neither.
  std::optional<double> low;
  std::optional<double> high;
  // How the interval was made, in words; empty without one.
  std::string method;
  // One sentence on why there is none; empty with one.
  std::string reason;
};

enum class Statistic { kMean, kMedian, kQuantile };

struct SpanComparisonOptions {
  Statistic statistic = Statistic::kMedian;
  // For kQuantile: 0 < quantile < 1.
  double quantile = 0.99;
  double confidence = 0.95;
  uint64_t seed = 1;
};

// Two series of successive samples, each in the order of measurement.
//
// Each side is resampled by the circular block bootstrap (Kuensch 1989;
// Politis and Romano 1992) with blocks long enough for its autocorrelation; the
// logarithm of the ratio of 1000 resampled statistics gives the percentile
// interval, widened by Student's t for the number of blocks. Quantiles of more
// than 2^17 samples are resampled from a stratified subsample; the ratio
// itself always comes from all samples.
//
// Insufficient: fewer than 20 effective samples on a side, a quantile whose own
// interval (quantile.h) does not exist on a side, values that are not finite,
// or a statistic that is not positive. Deterministic for a given seed.
Comparison CompareSpans(std::span<const double> a, std::span<const double> b,
                        const SpanComparisonOptions& options = {});

enum class Pairing {
  kIndependent,  // any order
  kPaired,       // a[i] and b[i] were measured next to each other
};

// Figures of whole repeats, such as wall times: the ratio of geometric means.
//
// Independent: Welch's t interval (1947) for the difference of the means of
// logarithms. Paired: Student's t interval for the mean of log(b[i] / a[i]).
// Exact for lognormal figures. Insufficient: fewer than five on a side, values
// that are not finite and positive, or unequal numbers where paired.
Comparison CompareRepeats(std::span<const double> a, std::span<const double> b,
                          Pairing pairing, double confidence = 0.95);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_COMPARE_H_
