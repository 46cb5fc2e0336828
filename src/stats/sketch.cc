#include "stats/sketch.h"

#include <algorithm>
#include <cmath>

#include "stats/quantile.h"

namespace edgewise::stats {
namespace {

// A hair below the promise, to leave room for the rounding of log and exp.
constexpr double kBucketError = 0.00999;

// ln((1 + e) / (1 - e)) as its power series, to be ready before any static
// constructor runs.
constexpr double LogGrowth(double e) {
  double sum = 0;
  double power = e;
  for (int i = 1; i < 30; i += 2, power *= e * e) sum += 2 * power / i;
  return sum;
}
constexpr double kLogGrowth = LogGrowth(kBucketError);
constexpr double kInverseLogGrowth = 1 / kLogGrowth;

// Bucket k holds the magnitudes in (growth^(k-1), growth^k].
int32_t KeyOf(double magnitude) {
  return static_cast<int32_t>(
      std::ceil(std::log(magnitude) * kInverseLogGrowth));
}

double UpperBoundOf(int32_t key) { return std::exp(key * kLogGrowth); }

// The point with the least relative error for the whole bucket: the harmonic
// mean of its bounds.
double MiddleOf(int32_t key) {
  return std::exp(key * kLogGrowth) * (1 - kBucketError);
}

}  // namespace

void Sketch::Store::Add(int32_t key, uint64_t times) {
  if (counts.empty()) {
    first_key = key;
    counts.push_back(times);
    return;
  }
  const auto size = static_cast<int32_t>(counts.size());
  const int32_t last_key = first_key + size - 1;
  if (key > last_key) {
    const int32_t floor = key - (kSketchBuckets - 1);
    if (floor > first_key) {
      const int32_t dropped = std::min(floor - first_key, size);
      uint64_t collapsed = 0;
      for (int32_t i = 0; i < dropped; ++i) collapsed += counts[i];
      counts.erase(counts.begin(), counts.begin() + dropped);
      if (counts.empty()) counts.push_back(0);
      counts.front() += collapsed;
      first_key = floor;
    }
    counts.resize(static_cast<size_t>(key - first_key) + 1);
  } else if (key < first_key) {
    key = std::max(key, last_key - (kSketchBuckets - 1));
    counts.insert(counts.begin(), static_cast<size_t>(first_key - key), 0);
    first_key = key;
  }
  counts[static_cast<size_t>(key - first_key)] += times;
}

void Sketch::Add(double value, uint64_t times) {
  if (times == 0) return;
  if (!std::isfinite(value)) {
    rejected_ += times;
    return;
  }
  if (count_ == 0) {
    min_ = max_ = value;
  } else {
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }
  count_ += times;
  if (value > 0) {
    positive_.Add(KeyOf(value), times);
  } else if (value < 0) {
    negative_.Add(KeyOf(-value), times);
  } else {
    zeros_ += times;
  }
}

void Sketch::Merge(const Sketch& other) {
  if (&other == this) {
    Merge(Sketch(other));
    return;
  }
  rejected_ += other.rejected_;
  if (other.count_ == 0) return;
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = count_ == 0 ? other.max_ : std::max(max_, other.max_);
  count_ += other.count_;
  zeros_ += other.zeros_;
  const auto add_all = [](Store* to, const Store& from) {
    // From the top, so that at most one collapse happens.
    for (size_t i = from.counts.size(); i-- > 0;) {
      if (from.counts[i] == 0) continue;
      to->Add(from.first_key + static_cast<int32_t>(i), from.counts[i]);
    }
  };
  add_all(&positive_, other.positive_);
  add_all(&negative_, other.negative_);
}

std::optional<double> Sketch::min() const {
  if (count_ == 0) return std::nullopt;
  return min_;
}

std::optional<double> Sketch::max() const {
  if (count_ == 0) return std::nullopt;
  return max_;
}

std::optional<double> Sketch::AtRank(uint64_t rank) const {
  if (rank < 1 || rank > count_) return std::nullopt;
  if (rank == 1) return min_;
  if (rank == count_) return max_;
  uint64_t seen = 0;
  // The most negative values have the largest keys.
  for (size_t i = negative_.counts.size(); i-- > 0;) {
    seen += negative_.counts[i];
    if (seen < rank) continue;
    return std::max(-MiddleOf(negative_.first_key + static_cast<int32_t>(i)),
                    min_);
  }
  seen += zeros_;
  if (seen >= rank) return 0;
  for (size_t i = 0; i < positive_.counts.size(); ++i) {
    seen += positive_.counts[i];
    if (seen < rank) continue;
    return std::clamp(MiddleOf(positive_.first_key + static_cast<int32_t>(i)),
                      min_, max_);
  }
  return max_;
}

std::optional<double> Sketch::Quantile(double p) const {
  if (count_ == 0) return std::nullopt;
  return AtRank(
      static_cast<uint64_t>(PointRank(static_cast<int64_t>(count_), p)));
}

std::vector<Sketch::Bucket> Sketch::Buckets() const {
  std::vector<Bucket> buckets;
  for (size_t i = negative_.counts.size(); i-- > 0;) {
    if (negative_.counts[i] == 0) continue;
    const int32_t key = negative_.first_key + static_cast<int32_t>(i);
    buckets.push_back(
        {-UpperBoundOf(key), -UpperBoundOf(key - 1), negative_.counts[i]});
  }
  if (zeros_ > 0) buckets.push_back({0, 0, zeros_});
  for (size_t i = 0; i < positive_.counts.size(); ++i) {
    if (positive_.counts[i] == 0) continue;
    const int32_t key = positive_.first_key + static_cast<int32_t>(i);
    buckets.push_back(
        {UpperBoundOf(key - 1), UpperBoundOf(key), positive_.counts[i]});
  }
  return buckets;
}

bool Sketch::ExtremesFit() const {
  if (!std::isfinite(min_) || !std::isfinite(max_) || min_ > max_) return false;
  if (count_ == 0) return min_ == 0 && max_ == 0;
  // Another machine's logarithm may round a bound to the neighbouring bucket.
  const auto holds = [](const Store& store, size_t index, double magnitude) {
    const int32_t key = store.first_key + static_cast<int32_t>(index);
    return magnitude > 0 && std::abs(KeyOf(magnitude) - key) <= 1;
  };
  if (!positive_.counts.empty()) {
    if (!holds(positive_, positive_.counts.size() - 1, max_)) return false;
  } else if (max_ > 0 || (zeros_ > 0) != (max_ == 0)) {
    return false;
  }
  if (!negative_.counts.empty()) {
    return holds(negative_, negative_.counts.size() - 1, -min_);
  }
  return min_ >= 0 && (zeros_ > 0) == (min_ == 0);
}

}  // namespace edgewise::stats
