// A few order statistics of many samples, cheaper than sorting them all.
#ifndef EDGEWISE_STATS_RANK_SELECTOR_H_
#define EDGEWISE_STATS_RANK_SELECTOR_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace edgewise::stats {

// Holds a copy of the samples and partitions it further with every question
// (multiple quickselect, Chambers 1971), so that later ranks near earlier ones
// cost little. Not thread-safe.
class RankSelector {
 public:
  explicit RankSelector(std::span<const double> samples)
      : values_(samples.begin(), samples.end()) {}

  int64_t size() const { return static_cast<int64_t>(values_.size()); }
  // x(rank), one-based; 1 <= rank <= size().
  double At(int64_t rank);

 private:
  std::vector<double> values_;
  std::set<size_t> placed_;  // indices that hold their final value
};

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_RANK_SELECTOR_H_
