#include "clocks/offset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/clock.h"
#include "base/units.h"

namespace edgewise::clocks {
namespace {

// Enough for bounds all along the exchanges, few enough to look at all of them
// for every message.
constexpr size_t kKept = 64;
// Clocks are read in whole nanoseconds.
constexpr double kReadingNs = 1;
// Differences of times below this cannot overflow.
constexpr int64_t kTimeLimitNs = int64_t{1} << 62;

bool IsPossible(const Exchange& exchange, double max_drift) {
  for (const int64_t t :
       {exchange.t0_ns, exchange.t1_ns, exchange.t2_ns, exchange.t3_ns}) {
    if (t < 0 || t >= kTimeLimitNs) {
      return false;
    }
  }
  const auto took_ns = static_cast<double>(exchange.t3_ns - exchange.t0_ns);
  return exchange.t3_ns >= exchange.t0_ns && exchange.t2_ns >= exchange.t1_ns &&
         static_cast<double>(exchange.round_trip_ns()) >=
             -max_drift * took_ns - 2 * kReadingNs;
}

bool IsShorter(const Exchange& one, const Exchange& other) {
  return one.round_trip_ns() < other.round_trip_ns();
}

// Where the offset must be at the reference for an exchange to be true.
struct Range {
  double low_ns = 0;
  double high_ns = 0;
};

// A point that lies in as many ranges as any (Marzullo 1984).
double MostAgreed(const std::vector<Range>& ranges) {
  std::vector<std::pair<double, int>> ends;
  for (const Range& range : ranges) {
    ends.emplace_back(range.low_ns, -1);  // begins before others end
    ends.emplace_back(range.high_ns, 1);
  }
  std::sort(ends.begin(), ends.end());
  int inside = 0;
  int most = 0;
  double point = ranges.front().low_ns;
  for (const auto& [at_ns, what] : ends) {
    inside -= what;
    if (inside > most) {
      most = inside;
      point = at_ns;
    }
  }
  return point;
}

// Those with the least round trip of as many equal parts of the time.
std::vector<Exchange> BestOfEachPart(const std::vector<Exchange>& all,
                                     int64_t first_ns, int64_t last_ns) {
  if (all.size() <= kKept) {
    return all;
  }
  const double part_ns =
      static_cast<double>(last_ns - first_ns + 1) / double{kKept};
  std::vector<Exchange> best;
  std::vector<int> filled(kKept, -1);
  for (const Exchange& exchange : all) {
    const auto part =
        std::min(kKept - 1,
                 static_cast<size_t>(
                     static_cast<double>(exchange.t0_ns - first_ns) / part_ns));
    if (filled[part] < 0) {
      filled[part] = static_cast<int>(best.size());
      best.push_back(exchange);
    } else if (Exchange& kept = best[static_cast<size_t>(filled[part])];
               IsShorter(exchange, kept)) {
      kept = exchange;
    }
  }
  return best;
}

}  // namespace

Result<ClockEstimate> Estimate(std::span<const Exchange> exchanges,
                               const EstimateSettings& settings) {
  const double max_drift = settings.max_drift_ppm * 1e-6;
  std::vector<Exchange> possible;
  std::copy_if(exchanges.begin(), exchanges.end(), std::back_inserter(possible),
               [max_drift](const Exchange& each) {
                 return IsPossible(each, max_drift);
               });
  if (possible.empty()) {
    return Error{
        ErrorCode::kInvalid,
        exchanges.empty()
            ? "there was no exchange between the clocks: let them "
              "exchange times before and during the measurement"
            : fmt::format("none of {} between the clocks is possible: "
                          "answers before questions",
                          FormatCount(static_cast<int64_t>(exchanges.size()),
                                      "exchange"))};
  }
  ClockEstimate estimate;
  const Exchange best =
      *std::min_element(possible.begin(), possible.end(), IsShorter);
  estimate.reference_ns_ = best.t0_ns;
  estimate.reference_offset_ns_ =
      (best.t1_ns - best.t0_ns) / 2 + (best.t2_ns - best.t3_ns) / 2;
  estimate.least_round_trip_ns_ = std::max<int64_t>(0, best.round_trip_ns());
  const auto upper = [&estimate](const Exchange& each) {
    return ClockEstimate::Bound{
        static_cast<double>(each.t0_ns - estimate.reference_ns_),
        static_cast<double>(each.t1_ns - each.t0_ns -
                            estimate.reference_offset_ns_) +
            kReadingNs};
  };
  const auto lower = [&estimate](const Exchange& each) {
    return ClockEstimate::Bound{
        static_cast<double>(each.t3_ns - estimate.reference_ns_),
        static_cast<double>(each.t2_ns - each.t3_ns -
                            estimate.reference_offset_ns_) -
            kReadingNs};
  };

  // Leave out what contradicts most others whatever the drift.
  std::vector<Range> ranges;
  for (const Exchange& each : possible) {
    const auto low = lower(each);
    const auto high = upper(each);
    ranges.push_back({low.offset_ns - max_drift * std::abs(low.at_ns),
                      high.offset_ns + max_drift * std::abs(high.at_ns)});
  }
  const double agreed_ns = MostAgreed(ranges);
  std::vector<Exchange> kept;
  for (size_t i = 0; i < possible.size(); ++i) {
    if (ranges[i].low_ns <= agreed_ns && agreed_ns <= ranges[i].high_ns) {
      kept.push_back(possible[i]);
    }
  }
  const Error set_meanwhile{
      ErrorCode::kCorrupt,
      "the exchanges contradict each other: one of the clocks was set during "
      "the measurement; switch off what sets it, or measure again"};
  if (2 * kept.size() <= possible.size()) {
    return set_meanwhile;
  }
  estimate.exchanges_ = static_cast<int64_t>(kept.size());
  estimate.rejected_ = static_cast<int64_t>(exchanges.size() - kept.size());
  estimate.first_ns_ = kept.front().t0_ns;
  estimate.last_ns_ = kept.front().t3_ns;
  for (const Exchange& each : kept) {
    estimate.first_ns_ = std::min(estimate.first_ns_, each.t0_ns);
    estimate.last_ns_ = std::max(estimate.last_ns_, each.t3_ns);
  }
  for (const Exchange& each :
       BestOfEachPart(kept, estimate.first_ns_, estimate.last_ns_)) {
    estimate.upper_.push_back(upper(each));
    estimate.lower_.push_back(lower(each));
  }
  return estimate.BoundDrift(max_drift, settings.wander_ppm * 1e-6)
             ? Result<ClockEstimate>(std::move(estimate))
             : set_meanwhile;
}

bool ClockEstimate::BoundDrift(double max_drift, double wander) {
  // The mean drift from the time of an upper to that of a lower bound.
  double at_least = -max_drift;
  double at_most = max_drift;
  for (const Bound& high : upper_) {
    for (const Bound& low : lower_) {
      const double time_ns = low.at_ns - high.at_ns;
      const double drift = (low.offset_ns - high.offset_ns) / time_ns;
      if (time_ns > 0) {
        at_least = std::max(at_least, drift);
      } else if (time_ns < 0) {
        at_most = std::min(at_most, drift);
      }
    }
  }
  if (at_least > at_most) {
    // No one drift explains all: it varies by at least that, so it may by more.
    wander = std::max(wander, at_least - at_most);
    if (at_least > max_drift || at_most < -max_drift) {
      return false;
    }
  }
  // Each mean drift is within `wander` of the clocks' own, and so is that from
  // any exchange to the time that is asked for.
  drift_low_ = std::clamp(at_least - 2 * wander, -max_drift, max_drift);
  drift_high_ = std::clamp(at_most + 2 * wander, -max_drift, max_drift);
  return drift_low_ <= drift_high_;
}

void ClockEstimate::Bracket(double at_ns, double* low_ns,
                            double* high_ns) const {
  *low_ns = -std::numeric_limits<double>::infinity();
  *high_ns = std::numeric_limits<double>::infinity();
  for (const Bound& bound : upper_) {
    const double since_ns = at_ns - bound.at_ns;
    *high_ns = std::min(
        *high_ns,
        bound.offset_ns + (since_ns > 0 ? drift_high_ : drift_low_) * since_ns);
  }
  for (const Bound& bound : lower_) {
    const double since_ns = at_ns - bound.at_ns;
    *low_ns = std::max(
        *low_ns,
        bound.offset_ns + (since_ns > 0 ? drift_low_ : drift_high_) * since_ns);
  }
}

ClockEstimate::Offset ClockEstimate::At(int64_t local_ns) const {
  double low_ns = 0;
  double high_ns = 0;
  Bracket(static_cast<double>(local_ns - reference_ns_), &low_ns, &high_ns);
  // Bounds that cross by a little leave a gap in which the truth is.
  return {static_cast<double>(reference_offset_ns_) + (low_ns + high_ns) / 2,
          std::abs(high_ns - low_ns) / 2};
}

Moment ClockEstimate::ToLocal(int64_t remote_ns) const {
  double low_ns = 0;
  double high_ns = 0;
  int64_t local_ns = remote_ns - reference_offset_ns_;
  // The offset is known by local time: each round leaves less than a thousandth
  // of the error.
  for (int i = 0; i < 3; ++i) {
    Bracket(static_cast<double>(local_ns - reference_ns_), &low_ns, &high_ns);
    local_ns =
        remote_ns - reference_offset_ns_ - std::llround((low_ns + high_ns) / 2);
  }
  const double bound_ns = std::abs(high_ns - low_ns) / 2;
  return {local_ns, static_cast<int64_t>(std::ceil(bound_ns * 1.001)) + 1};
}

}  // namespace edgewise::clocks
