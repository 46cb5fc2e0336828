#include "orchestration/promise_seen.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/autocorrelation.h"
#include "stats/binomial.h"
#include "stats/quantile.h"

namespace edgewise::orchestration {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kNever = std::numeric_limits<double>::infinity();

// How many independent requests these are worth, which must not be none: for
// the share that is late, and for the quantile if it is finite.
double EffectiveRequests(std::vector<double> times, double delay_ns,
                         double quantile_ns) {
  double longest = delay_ns;
  for (const double time : times) {
    longest = std::isfinite(time) ? std::max(longest, time) : longest;
  }
  for (double& time : times) {
    time = std::isfinite(time) ? time : 2 * longest;
  }
  return std::clamp(
      std::min(
          {stats::EffectiveSampleSize(times),
           stats::EffectiveSampleSizeAt(times, delay_ns),
           stats::EffectiveSampleSizeAt(
               times, std::isfinite(quantile_ns) ? quantile_ns : longest)}),
      1.0, static_cast<double>(times.size()));
}

// Where requests are worth less than they are, so are the late ones: a promise
// that just holds would show so many, or so few, too rarely.
Verdict VerdictFor(const Sla& sla, int64_t requests, int64_t late,
                   double effective) {
  const auto worth = static_cast<int64_t>(std::floor(effective));
  const double late_worth = static_cast<double>(late) *
                            static_cast<double>(worth) /
                            static_cast<double>(requests);
  const auto at_least = static_cast<int64_t>(std::floor(late_worth));
  const auto at_most = static_cast<int64_t>(std::ceil(late_worth));
  const double allowed = 1 - sla.quantile;
  if (at_least > 0 &&
      1 - stats::BinomialCdf(at_least - 1, worth, allowed) <= 1 - kConfidence) {
    return Verdict::kBroken;
  }
  if (stats::BinomialCdf(at_most, worth, allowed) <= 1 - kConfidence) {
    return Verdict::kKept;
  }
  return worth >= RequestsForVerdict(sla) ? Verdict::kClose : Verdict::kUnknown;
}

std::optional<double> Finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kKept:
      return "kept";
    case Verdict::kBroken:
      return "broken";
    case Verdict::kClose:
      return "too close to tell";
    case Verdict::kUnknown:
      return "insufficient samples";
  }
  return "";
}

PromiseSeen SeePromise(const Sla& sla, const std::vector<double>& response_ns) {
  PromiseSeen seen;
  seen.requests = static_cast<int64_t>(response_ns.size());
  const auto delay_ns = static_cast<double>(sla.delay_ns);
  seen.late =
      std::count_if(response_ns.begin(), response_ns.end(),
                    [delay_ns](double time) { return time > delay_ns; });
  seen.needed = RequestsForVerdict(sla);
  if (response_ns.empty()) {
    return seen;
  }
  std::vector<double> sorted = response_ns;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&sorted](int64_t rank) {
    return sorted[static_cast<size_t>(rank - 1)];
  };
  const double value = at(stats::PointRank(seen.requests, sla.quantile));
  const double effective = EffectiveRequests(response_ns, delay_ns, value);
  seen.needed = static_cast<int64_t>(
      std::ceil(static_cast<double>(seen.needed) *
                static_cast<double>(seen.requests) / effective));
  seen.verdict = VerdictFor(sla, seen.requests, seen.late, effective);
  if (seen.verdict == Verdict::kUnknown) {
    return seen;
  }
  const auto ranks =
      stats::IntervalRanks(seen.requests, effective, sla.quantile, kConfidence);
  seen.quantile_ns = Finite(value);
  seen.low_ns = ranks.low ? Finite(at(*ranks.low)) : std::nullopt;
  seen.high_ns = ranks.high ? Finite(at(*ranks.high)) : std::nullopt;
  return seen;
}

std::vector<double> WithRefused(const std::vector<double>& response_ns,
                                const std::vector<int>& queue_lengths,
                                int64_t refused) {
  const auto longest =
      std::max_element(queue_lengths.begin(), queue_lengths.end());
  if (longest == queue_lengths.end()) {
    return std::vector<double>(static_cast<size_t>(refused), kNever);
  }
  const int64_t places =
      std::count(queue_lengths.begin(), queue_lengths.end(), *longest);
  std::vector<double> all;
  int64_t place = 0;
  for (size_t i = 0; i < response_ns.size(); ++i) {
    all.push_back(response_ns[i]);
    if (queue_lengths[i] == *longest) {
      const int64_t here =
          (place + 1) * refused / places - place * refused / places;
      all.insert(all.end(), static_cast<size_t>(here), kNever);
      ++place;
    }
  }
  return all;
}

int64_t RequestsForVerdict(const Sla& sla) {
  return stats::SmallestSampleForUpperBound(sla.quantile, kConfidence);
}

double SecondsForRequests(const Request& request, int64_t requests) {
  // Two standard deviations of a Poisson number more.
  const auto count = static_cast<double>(requests);
  return (count + 2 * std::sqrt(count)) /
             (request.rate_per_s * request.replicas) +
         static_cast<double>(request.sla.delay_ns) * 1e-9;
}

std::optional<double> BrokenPart(const std::vector<PromiseSeen>& promises) {
  int64_t known = 0;
  int64_t broken = 0;
  for (const PromiseSeen& seen : promises) {
    known += seen.verdict == Verdict::kKept ? 1 : 0;
    known += seen.verdict == Verdict::kBroken ? 1 : 0;
    broken += seen.verdict == Verdict::kBroken ? 1 : 0;
  }
  return known > 0 ? std::optional(static_cast<double>(broken) /
                                   static_cast<double>(known))
                   : std::nullopt;
}

}  // namespace edgewise::orchestration
