#include "store/distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>

#include "stats/autocorrelation.h"
#include "stats/quantile.h"
#include "stats/sketch.h"

namespace edgewise {
namespace {

constexpr double kConfidence = 0.95;

// Shares at which the dependence of samples is worked out: the percentiles
// that are quoted, and the lower half.
constexpr std::array kAnchors = {0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999};

// Half of the shares are spread evenly, half ever denser towards 1, down to a
// single sample in n.
std::vector<double> SharesOf(int64_t n, size_t max_points) {
  std::vector<double> shares;
  if (n < 2) {
    return shares;  // the maximum says all
  }
  shares.push_back(1 / static_cast<double>(n));
  const size_t half = max_points / 2;
  const auto even = static_cast<double>(half - 1);
  for (double i = 1; i <= even; ++i) {
    shares.push_back(i / (even + 1));
  }
  const auto dense = static_cast<double>(max_points - half - 1);
  for (double i = 1; i <= dense; ++i) {
    shares.push_back(1 -
                     std::pow(static_cast<double>(n), -i / dense * (1 - 1e-9)));
  }
  std::sort(shares.begin(), shares.end());
  return shares;
}

// Samples in ascending order, exact or from sketches.
class Ranked {
 public:
  explicit Ranked(std::span<const SpanSamples> parts) {
    for (const SpanSamples& part : parts) {
      std::copy_if(part.wall_ns.begin(), part.wall_ns.end(),
                   std::back_inserter(in_order_),
                   [](double value) { return std::isfinite(value); });
      if (part.digest) {
        sketch_ = sketch_.value_or(stats::Sketch());
        sketch_->Merge(part.digest->values);
      }
    }
    if (sketch_) {
      for (const double value : in_order_) {
        sketch_->Add(value);
      }
    } else {
      sorted_ = in_order_;
      std::sort(sorted_.begin(), sorted_.end());
    }
  }

  int64_t count() const {
    return sketch_ ? static_cast<int64_t>(sketch_->count())
                   : static_cast<int64_t>(sorted_.size());
  }

  // One-based; moved outwards by the error of a sketch.
  double At(int64_t rank, double direction) const {
    if (!sketch_) {
      return sorted_[static_cast<size_t>(rank - 1)];
    }
    const double value =
        sketch_->AtRank(static_cast<uint64_t>(rank)).value_or(0);
    return std::clamp(value + direction * stats::kSketchError * std::abs(value),
                      sketch_->min().value_or(value),
                      sketch_->max().value_or(value));
  }

  double max() const {
    return sketch_ ? sketch_->max().value_or(0) : sorted_.back();
  }

  // Independent samples that would know the quantile at `share` as well. The
  // dependence seen in what is stored one by one is taken to hold for all.
  std::optional<double> EffectiveAt(double share) const {
    if (in_order_.empty()) {
      return std::nullopt;
    }
    const double stored = stats::EffectiveSampleSizeAt(
        in_order_, At(stats::PointRank(count(), share), 0));
    return std::max(1.0, stored * static_cast<double>(count()) /
                             static_cast<double>(in_order_.size()));
  }

 private:
  std::vector<double> in_order_;
  std::vector<double> sorted_;           // without a sketch
  std::optional<stats::Sketch> sketch_;  // where some are known only by one
};

size_t NearestAnchor(double share) {
  size_t nearest = 0;
  for (size_t i = 1; i < kAnchors.size(); ++i) {
    // By the odds, so that 0.998 belongs to 0.999 and not to 0.99.
    const auto distance = [share](double anchor) {
      return std::abs(std::log(share / (1 - share)) -
                      std::log(anchor / (1 - anchor)));
    };
    if (distance(kAnchors[i]) < distance(kAnchors[nearest])) {
      nearest = i;
    }
  }
  return nearest;
}

double AtShare(const std::vector<double>& sorted, double share) {
  const int64_t rank =
      stats::PointRank(static_cast<int64_t>(sorted.size()), share);
  return sorted[static_cast<size_t>(rank - 1)];
}

TimeBucket BucketOf(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  TimeBucket bucket;
  bucket.count = static_cast<int64_t>(sorted.size());
  bucket.min_ns = sorted.front();
  bucket.median_ns = AtShare(sorted, 0.5);
  bucket.p99_ns = AtShare(sorted, 0.99);
  bucket.max_ns = sorted.back();
  return bucket;
}

}  // namespace

std::vector<DistributionPoint> DistributionOf(
    std::span<const SpanSamples> parts, size_t max_points) {
  if (max_points < 2) {
    return {};
  }
  const Ranked ranked(parts);
  const int64_t n = ranked.count();
  if (n == 0) {
    return {};
  }
  std::array<std::optional<double>, kAnchors.size()> effective;
  for (size_t i = 0; i < kAnchors.size(); ++i) {
    effective[i] = ranked.EffectiveAt(kAnchors[i]);
  }
  std::vector<DistributionPoint> points;
  for (const double share : SharesOf(n, max_points)) {
    DistributionPoint point;
    point.share = share;
    point.value.value = ranked.At(stats::PointRank(n, share), 0);
    if (const auto n_effective = effective[NearestAnchor(share)]) {
      const stats::QuantileRanks ranks =
          stats::IntervalRanks(n, *n_effective, share, kConfidence);
      if (ranks.low) {
        point.value.low = ranked.At(*ranks.low, -1);
      }
      if (ranks.high) {
        point.value.high = ranked.At(*ranks.high, 1);
      }
    }
    if (!points.empty() && points.back().value.value == point.value.value) {
      points.back() = point;  // of equal values the largest share is the truth
    } else if (points.empty() || points.back().share < share) {
      points.push_back(point);
    }
  }
  if (!points.empty() && points.back().value.value >= ranked.max()) {
    points.pop_back();
  }
  points.push_back({1, {ranked.max(), std::nullopt, std::nullopt}});
  return points;
}

std::vector<TimeBucket> OverTime(const SpanSamples& samples,
                                 size_t max_buckets) {
  if (max_buckets == 0 || samples.start_ns.empty()) {
    return {};
  }
  const double first_ns = static_cast<double>(samples.start_ns.front());
  const double length_ns =
      (static_cast<double>(samples.start_ns.back()) - first_ns) /
      static_cast<double>(max_buckets);
  const auto place = [&](size_t i) {
    const double since_ns = static_cast<double>(samples.start_ns[i]) - first_ns;
    return length_ns > 0 ? std::min(static_cast<size_t>(since_ns / length_ns),
                                    max_buckets - 1)
                         : 0;
  };
  std::vector<TimeBucket> buckets;
  for (size_t begin = 0; begin < samples.start_ns.size();) {
    size_t end = begin + 1;
    while (end < samples.start_ns.size() && place(end) == place(begin)) {
      ++end;
    }
    TimeBucket bucket = BucketOf({samples.wall_ns.data() + begin, end - begin});
    bucket.start_ns = samples.start_ns[begin];
    buckets.push_back(bucket);
    begin = end;
  }
  return buckets;
}

}  // namespace edgewise
