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

// Whether a promise that holds would show so many late ones too rarely. Where
// requests are worth less than they are, so are the late ones.
bool IsSurelyBroken(const Sla& sla, int64_t requests, int64_t late,
                    double effective) {
  const auto worth = static_cast<int64_t>(std::floor(effective));
  const auto late_worth = static_cast<int64_t>(
      std::floor(static_cast<double>(late) * static_cast<double>(worth) /
                 static_cast<double>(requests)));
  return late_worth > 0 &&
         1 - stats::BinomialCdf(late_worth - 1, worth, 1 - sla.quantile) <=
             1 - kConfidence;
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
  const bool enough = std::floor(effective) >= static_cast<double>(seen.needed);
  seen.needed = static_cast<int64_t>(
      std::ceil(static_cast<double>(seen.needed) *
                static_cast<double>(seen.requests) / effective));
  const bool late_too_often =
      IsSurelyBroken(sla, seen.requests, seen.late, effective);
  if (!enough && !late_too_often) {
    return seen;
  }
  const auto ranks =
      stats::IntervalRanks(seen.requests, effective, sla.quantile, kConfidence);
  seen.quantile_ns = Finite(value);
  seen.low_ns = ranks.low ? Finite(at(*ranks.low)) : std::nullopt;
  seen.high_ns = ranks.high ? Finite(at(*ranks.high)) : std::nullopt;
  seen.verdict =
      late_too_often || value > delay_ns ? Verdict::kBroken : Verdict::kKept;
  const bool surely_kept = ranks.high && at(*ranks.high) <= delay_ns;
  seen.close = !surely_kept && !late_too_often;
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
  return stats::SmallestSampleForInterval(sla.quantile, kConfidence);
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
    known += seen.verdict != Verdict::kUnknown ? 1 : 0;
    broken += seen.verdict == Verdict::kBroken ? 1 : 0;
  }
  return known > 0 ? std::optional(static_cast<double>(broken) /
                                   static_cast<double>(known))
                   : std::nullopt;
}

}  // namespace edgewise::orchestration
