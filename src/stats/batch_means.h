// The effective sample size of a stream, in constant memory.
#ifndef EDGEWISE_STATS_BATCH_MEANS_H_
#define EDGEWISE_STATS_BATCH_MEANS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/moments.h"

namespace edgewise::stats {

// Keeps the means of at most 2048 equal batches of consecutive values; when
// they are full, neighbours are joined and the batch size doubles (dynamic
// batch means, Yeh and Schmeiser 2000). Up to 2048 values nothing is lost.
class BatchMeans {
 public:
  // `value` must be finite.
  void Add(double value);

  int64_t count() const { return moments_.count(); }
  // As EffectiveSampleSize() of the whole stream; the values of the last,
  // unfinished batch enter only the variance.
  double EffectiveSampleSize() const;

 private:
  Moments moments_;
  std::vector<double> means_;
  size_t batch_size_ = 1;
  double open_sum_ = 0;
  size_t open_count_ = 0;
};

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_BATCH_MEANS_H_
