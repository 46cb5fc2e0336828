// How much independent information a series of successive samples carries.
//
// Successive spans of a program are rarely independent: a slow frame follows a
// slow frame. With integrated autocorrelation time t = 1 + 2 (rho_1 + rho_2 +
// ...), n samples tell as much about the mean as n / t independent ones.
//
// The sum is cut off by Geyer's initial monotone sequence (Geyer 1992). Long
// series are first averaged in batches, so the cost is O(n) plus a bounded
// amount; the identity used is that the variance of the series' mean equals
// that of its batch means' mean. A series without significant positive
// autocorrelation counts as independent: lag one, and the sum of the first ten
// lags, must each stay below 1.96 standard errors (variance 1/n per lag,
// Bartlett 1946), and for batches the ratio of variances likewise (Cochrane
// 1988). Negative autocorrelation never counts as more than n samples.
#ifndef EDGEWISE_STATS_AUTOCORRELATION_H_
#define EDGEWISE_STATS_AUTOCORRELATION_H_

#include <cstddef>
#include <span>
#include <vector>

namespace edgewise::stats {

// The longest series that is analysed lag by lag; a longer one is batched.
inline constexpr size_t kMaxSeries = 4096;

// rho_0 = 1, ..., rho_max_lag (lags beyond size - 1 are left out), divisor n at
// every lag (Box and Jenkins 1976). Empty for a series without spread.
// O(size * max_lag).
std::vector<double> Autocorrelation(std::span<const double> series,
                                    size_t max_lag);

// The number of independent samples that estimate the mean equally well, in
// [1, n]; n for a series without spread or with fewer than four samples. 0 for
// an empty one.
double EffectiveSampleSize(std::span<const double> series);

// n / EffectiveSampleSize, at least 1.
double IntegratedTime(std::span<const double> series);

// The same for the share of samples at or below `threshold`, which is what
// the error of a quantile depends on: the effective size of the series of
// indicators 1{x <= threshold} (Heidelberger and Lewis 1984). With fewer than
// 50 samples on one side of the threshold, too few to show their clustering,
// it is at most EffectiveSampleSize(series).
double EffectiveSampleSizeAt(std::span<const double> series, double threshold);

// The core: the effective size of n samples with the given variance (divisor
// n) of which only the means of consecutive batches are known. At most
// kMaxSeries batches.
double EffectiveSizeOfBatches(std::span<const double> batch_means,
                              size_t batch_size, double sample_variance,
                              double n);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_AUTOCORRELATION_H_
