// Mean, spread, jitter and extremes of a stream in constant memory.
#ifndef EDGEWISE_STATS_MOMENTS_H_
#define EDGEWISE_STATS_MOMENTS_H_

#include <cstdint>
#include <optional>
#include <span>

namespace edgewise::stats {

// Updates by Welford's recurrence (1962), merges by the formula of Chan, Golub
// and LeVeque (1983): no loss of digits where the spread is small against the
// mean. The order of Add() matters for jitter and lag-1 autocorrelation.
//
// Only finite values may be added. Not thread-safe: one per thread, then Merge.
class Moments {
 public:
  void Add(double value);
  // As if other's stream had been added after this one, except that the step
  // from one stream to the other counts neither for jitter nor for
  // autocorrelation.
  void Merge(const Moments& other);

  int64_t count() const { return count_; }
  // Each is nullopt until there are enough values: one for mean, min, max, two
  // for stddev and jitter.
  std::optional<double> mean() const;
  std::optional<double> min() const;
  std::optional<double> max() const;
  // The sample standard deviation (divisor n - 1).
  std::optional<double> stddev() const;
  // The mean of |x_i - x_(i-1)| over successive values.
  std::optional<double> jitter() const;
  // The autocorrelation at lag one (Box and Jenkins' estimator, divisor n).
  // nullopt below three values, without spread, or after Merge() of two
  // streams, where the ends of the parts are no longer known.
  std::optional<double> lag1() const;

 private:
  int64_t count_ = 0;
  int64_t steps_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared deviations from the mean
  double absolute_steps_ = 0;
  double squared_steps_ = 0;
  double first_ = 0;
  double last_ = 0;
  double min_ = 0;
  double max_ = 0;
  bool merged_ = false;
};

Moments MomentsOf(std::span<const double> values);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_MOMENTS_H_
