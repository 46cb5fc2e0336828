#include "scheduling/edf_horizon.h"

#include <algorithm>
#include <optional>

namespace edgewise::scheduling {
namespace {

// Shares of a core in units of 2^-40.
constexpr int kShareBits = 40;

Int128 CeilDiv128(Int128 a, Int128 b) { return a / b + (a % b > 0 ? 1 : 0); }

// Where U <= q = Q / P, demand is at most U t + sum of (T - D) U_i + blocking,
// and supply at least q (t - blackout), from t = max(D - T) on. They can cross
// only before (sum + blocking + q blackout) / (q - U), and never where that sum
// is not above 0, even if U = q. Everything is rounded upwards. nullopt where
// that is no use.
std::optional<int64_t> BySlack(const Demand& demand, const Supply& supply) {
  Int128 slack = (Int128{supply.quota_ns} << kShareBits) / supply.period_ns;
  Int128 ahead = Int128{demand.LongestBlocking()} + supply.blackout_ns;
  int64_t horizon_ns = 0;
  for (const Demand::Source& source : demand.sources()) {
    slack -= CeilDiv128(Int128{source.wcet_ns} << kShareBits, source.period_ns);
    const int64_t early_ns = source.period_ns - source.deadline_ns;
    ahead += CeilDiv128(Int128{early_ns} * source.wcet_ns, source.period_ns);
    horizon_ns = std::max(horizon_ns, -early_ns);
  }
  if (ahead <= 0) return horizon_ns;
  if (slack <= 0) return std::nullopt;
  const Int128 crossing = CeilDiv128(ahead << kShareBits, slack);
  if (crossing > kLongestNs) return std::nullopt;
  return std::max(horizon_ns, static_cast<int64_t>(crossing));
}

// Where U = Q / P, demand and supply repeat with the hyperperiod once every
// task has had a deadline.
std::optional<int64_t> ByHyperperiod(const Demand& demand,
                                     const Supply& supply) {
  std::optional<int64_t> hyperperiod_ns = supply.period_ns;
  int64_t start_ns = supply.blackout_ns;
  for (const Demand::Source& source : demand.sources()) {
    hyperperiod_ns = LeastCommonMultiple(*hyperperiod_ns, source.period_ns);
    if (!hyperperiod_ns) return std::nullopt;
    start_ns = std::max(start_ns, source.deadline_ns);
  }
  return *hyperperiod_ns + start_ns;  // at most 2^61 + 2^62
}

}  // namespace

Result<int64_t> HorizonOf(const Demand& demand, const Supply& supply,
                          bool full) {
  Effort effort(Effort::kMostSteps / 10);
  std::optional<int64_t> limit_ns = BySlack(demand, supply);
  if (!limit_ns && full) limit_ns = ByHyperperiod(demand, supply);
  CheckedSum start;
  for (const Demand::Source& source : demand.sources()) {
    start.Add(source.wcet_ns);
  }
  CheckedSum work = start;
  int64_t busy_ns = 0;
  while (true) {
    const std::optional<int64_t> next_ns =
        work.overflowed() ? std::nullopt : supply.WindowFor(work.sum());
    if (!next_ns) return limit_ns ? Result<int64_t>(*limit_ns) : TooLarge();
    if (*next_ns == busy_ns) return busy_ns;
    busy_ns = *next_ns;
    if (limit_ns && busy_ns >= *limit_ns) return *limit_ns;
    const bool within =
        effort.Spend(static_cast<int64_t>(demand.sources().size()));
    if (!within) return limit_ns ? Result<int64_t>(*limit_ns) : TooLong();
    work = CheckedSum();
    for (const Demand::Source& source : demand.sources()) {
      work.AddProduct(CeilDiv(busy_ns, source.period_ns), source.wcet_ns);
    }
  }
}

}  // namespace edgewise::scheduling
