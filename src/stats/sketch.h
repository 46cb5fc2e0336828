// Quantiles of an unbounded stream in constant memory.
#ifndef EDGEWISE_STATS_SKETCH_H_
#define EDGEWISE_STATS_SKETCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"

namespace edgewise::stats {

// A sketch in the manner of DDSketch (Masson, Rim and Lee 2019): counts in
// buckets whose bounds grow geometrically, so that the p-quantile is off by at
// most kSketchError of its own value. Any number of sketches may be merged, in
// any order and grouping, and the result is the same as one sketch of all
// values.
//
// Memory: at most kSketchBuckets buckets per sign (40 KiB in all). The range
// from the largest magnitude down by a factor of about 10^17 fits; smaller
// magnitudes are then collapsed into the lowest bucket kept, and quantiles that
// fall into it are only known not to exceed its bound. Zeros are counted
// apart and exact. NaN and infinities are refused and counted.
//
// Not thread-safe: one per thread, then Merge.
class Sketch {
 public:
  // One bucket of the picture: `count` values with low < |x| <= high.
  struct Bucket {
    double low = 0;
    double high = 0;
    uint64_t count = 0;
  };

  void Add(double value) { Add(value, 1); }
  // Adds `value` as if it had occurred `times` times.
  void Add(double value, uint64_t times);
  void Merge(const Sketch& other);

  uint64_t count() const { return count_; }
  // Values that were not finite and are not part of count().
  uint64_t rejected() const { return rejected_; }
  // Exact; nullopt while empty.
  std::optional<double> min() const;
  std::optional<double> max() const;

  // The value of rank r, 1 <= r <= count(), within the relative error; nullopt
  // outside.
  std::optional<double> AtRank(uint64_t rank) const;
  // The p-quantile, 0 < p < 1: AtRank(ceil(count p)), as in quantile.h.
  std::optional<double> Quantile(double p) const;

  // Non-empty buckets in ascending order of value; negative ones have
  // low < high <= 0, zeros low = high = 0.
  std::vector<Bucket> Buckets() const;

  // Bytes for a file or the wire (format: docs/statistics.md), the same on
  // every machine.
  std::vector<uint8_t> Serialise() const;
  // Refuses anything that Serialise() cannot have written; allocates no more
  // than a sketch of its own would, whatever the bytes say.
  static Result<Sketch> Deserialise(std::span<const uint8_t> bytes);

  friend bool operator==(const Sketch&, const Sketch&) = default;

 private:
  // Counts of the keys first_key, first_key + 1, ...; trimmed at both ends, so
  // that equal contents compare equal.
  struct Store {
    int32_t first_key = 0;
    std::vector<uint64_t> counts;

    void Add(int32_t key, uint64_t times);
    friend bool operator==(const Store&, const Store&) = default;
  };

  // Whether min_ and max_ are finite and agree with the buckets.
  bool ExtremesFit() const;

  uint64_t count_ = 0;
  uint64_t zeros_ = 0;
  uint64_t rejected_ = 0;
  double min_ = 0;
  double max_ = 0;
  Store positive_;
  Store negative_;  // by magnitude
};

// The bound on |estimate - x| / |x| for every x that is not collapsed.
inline constexpr double kSketchError = 0.01;
inline constexpr int32_t kSketchBuckets = 2048;

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_SKETCH_H_
