#include "live/rolling.h"

#include <algorithm>
#include <utility>

namespace edgewise::live {
namespace {

std::optional<stats::Estimate> EstimateAt(const stats::Sketch& sketch, double p,
                                          Intervals intervals) {
  const auto n = static_cast<int64_t>(sketch.count());
  if (n == 0) {
    return std::nullopt;
  }
  stats::QuantileRanks ranks;
  if (intervals == Intervals::kWith) {
    ranks = stats::IntervalRanks(n, p);
  } else {
    ranks.point = stats::PointRank(n, p);
  }
  const auto at = [&](int64_t rank) {
    return sketch.AtRank(static_cast<uint64_t>(rank));
  };
  stats::Estimate estimate;
  estimate.value = at(ranks.point).value_or(0);
  // The sketch is off by its own error, too.
  if (ranks.low) {
    const double low = at(*ranks.low).value_or(0);
    estimate.low = low - stats::kSketchError * std::abs(low);
  }
  if (ranks.high) {
    const double high = at(*ranks.high).value_or(0);
    estimate.high = high + stats::kSketchError * std::abs(high);
  }
  return estimate;
}

}  // namespace

const char* WindowName(Window window) {
  switch (window) {
    case Window::k2s:
      return "2s";
    case Window::k1min:
      return "1m";
    case Window::k5min:
      break;
  }
  return "5m";
}

template <int64_t width_ns, size_t keep>
std::optional<RollingSketch::Bucket>
RollingSketch::Level<width_ns, keep>::Advance(int64_t index) {
  if (current.index == index) {
    return std::nullopt;
  }
  std::optional<Bucket> ended;
  if (current.index >= 0) {
    ended = current;
    closed[static_cast<size_t>(current.index) % keep] = std::move(current);
  }
  current = Bucket{};
  current.index = index;
  return ended;
}

template <int64_t width_ns, size_t keep>
void RollingSketch::Level<width_ns, keep>::MergeInto(stats::Sketch* sum,
                                                     int64_t now_index) const {
  for (const Bucket& bucket : closed) {
    if (bucket.index >= now_index - kKeep && bucket.index <= now_index) {
      sum->Merge(bucket.sketch);
    }
  }
  if (current.index >= now_index - kKeep) {
    sum->Merge(current.sketch);
  }
}

void RollingSketch::Add(double value, int64_t now_ns) {
  if (const auto fine = fine_.Advance(now_ns / fine_.kWidthNs)) {
    const int64_t ended_ns = fine->index * fine_.kWidthNs;
    if (const auto middle = middle_.Advance(ended_ns / middle_.kWidthNs)) {
      coarse_.Advance(middle->index * middle_.kWidthNs / coarse_.kWidthNs);
      coarse_.current.sketch.Merge(middle->sketch);
    }
    middle_.current.sketch.Merge(fine->sketch);
  }
  fine_.current.sketch.Add(value);
}

WindowFigures RollingSketch::Read(Window window, int64_t now_ns,
                                  Intervals intervals) const {
  stats::Sketch sum;
  int64_t width_ns = fine_.kWidthNs;
  int64_t kept = fine_.kKeep;
  switch (window) {
    case Window::k2s:
      fine_.MergeInto(&sum, now_ns / fine_.kWidthNs);
      break;
    case Window::k1min:
      width_ns = middle_.kWidthNs;
      kept = middle_.kKeep;
      break;
    case Window::k5min:
      width_ns = coarse_.kWidthNs;
      kept = coarse_.kKeep;
      break;
  }
  const int64_t begin_ns = (now_ns / width_ns - kept) * width_ns;
  if (window == Window::k5min) {
    coarse_.MergeInto(&sum, now_ns / coarse_.kWidthNs);
    if (middle_.current.index * middle_.kWidthNs >= begin_ns) {
      sum.Merge(middle_.current.sketch);
    }
  } else if (window == Window::k1min) {
    middle_.MergeInto(&sum, now_ns / middle_.kWidthNs);
  }
  if (window != Window::k2s &&
      fine_.current.index * fine_.kWidthNs >= begin_ns) {
    sum.Merge(fine_.current.sketch);
  }
  WindowFigures figures;
  figures.count = sum.count();
  const int64_t covered_ns = now_ns - std::max(begin_ns, first_ns_);
  // A rate over less than a bucket would be mostly chance.
  if (covered_ns >= fine_.kWidthNs) {
    figures.rate_per_s = static_cast<double>(figures.count) * 1e9 /
                         static_cast<double>(covered_ns);
  }
  figures.p50 = EstimateAt(sum, 0.5, intervals);
  figures.p95 = EstimateAt(sum, 0.95, intervals);
  figures.p99 = EstimateAt(sum, 0.99, intervals);
  return figures;
}

}  // namespace edgewise::live
