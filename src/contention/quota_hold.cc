#include "contention/quota_hold.h"

#include <cmath>

namespace edgewise::contention {
namespace {

constexpr double kPeriodS = 0.1;  // the kernel's

}  // namespace

Hold FindHold(const QuotaDemand& demand) {
  if (demand.quota_cores >= demand.most_cores) {
    return {};
  }
  const double depth_s = demand.depth * demand.quota_cores * kPeriodS;
  // Work ahead of a request, where there is any, is about exponential; its mean
  // is Pollaczek and Khinchine's.
  const double ahead_s = demand.service_s *
                         (1 + demand.spread * demand.spread) / 2 /
                         (1 - demand.used);
  // Mean and mean square of the work, the request's own included, beyond the
  // depth.
  const double own_s = demand.service_s - depth_s;
  double mean_s = 0;
  double square_s2 = 0;
  if (own_s > 0) {
    mean_s = own_s + demand.used * ahead_s;
    square_s2 = own_s * own_s + 2 * demand.used * ahead_s * (own_s + ahead_s);
  } else {
    const double beyond = demand.used * std::exp(own_s / ahead_s);
    mean_s = beyond * ahead_s;
    square_s2 = 2 * beyond * ahead_s * ahead_s;
  }
  const double longer = 1 / demand.quota_cores - 1 / demand.most_cores;
  return {mean_s * longer, std::sqrt(square_s2 - mean_s * mean_s) * longer};
}

}  // namespace edgewise::contention
