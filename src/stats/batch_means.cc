#include "stats/batch_means.h"

#include "stats/autocorrelation.h"

namespace edgewise::stats {
namespace {

constexpr size_t kMaxBatches = 2048;
static_assert(kMaxBatches <= kMaxSeries);

}  // namespace

void BatchMeans::Add(double value) {
  moments_.Add(value);
  open_sum_ += value;
  if (++open_count_ < batch_size_) return;
  means_.push_back(open_sum_ / static_cast<double>(batch_size_));
  open_sum_ = 0;
  open_count_ = 0;
  // Joined only once another batch would not fit, so that 2048 values stay
  // apart.
  if (means_.size() <= kMaxBatches) return;
  const double odd = means_.back();
  for (size_t i = 0; i < kMaxBatches / 2; ++i) {
    means_[i] = (means_[2 * i] + means_[2 * i + 1]) / 2;
  }
  means_.resize(kMaxBatches / 2);
  open_sum_ = odd * static_cast<double>(batch_size_);
  open_count_ = batch_size_;
  batch_size_ *= 2;
}

double BatchMeans::EffectiveSampleSize() const {
  const auto n = static_cast<double>(count());
  if (count() < 4 || moments_.min() == moments_.max()) return n;
  const double stddev = moments_.stddev().value_or(0);
  return EffectiveSizeOfBatches(means_, batch_size_,
                                stddev * stddev * (n - 1) / n, n);
}

}  // namespace edgewise::stats
