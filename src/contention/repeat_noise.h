// RepeatNoise: how much two measurements of one deployment differ.
#ifndef EDGEWISE_CONTENTION_REPEAT_NOISE_H_
#define EDGEWISE_CONTENTION_REPEAT_NOISE_H_

#include <cstdint>
#include <optional>

#include "contention/campaign.h"
#include "stats/quantile.h"

namespace edgewise::contention {

struct RepeatNoise {
  int64_t pairs = 0;  // of deployments
  MaybeFigures median_ape;
  // Of p95: its 95% interval, from drawing pairs anew; and that of tenants with
  // a quota.
  std::optional<stats::Estimate> p95;
  std::optional<double> with_quota_p95;
};

RepeatNoise FindRepeatNoise(const Campaign& campaign);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_REPEAT_NOISE_H_
