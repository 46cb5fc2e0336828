#include "contention/processor_time.h"

#include <algorithm>

#include "contention/alone.h"
#include "contention/median.h"
#include "stats/moments.h"

namespace edgewise::contention {
namespace {

// Fewer requests than this say little.
constexpr int64_t kLeastRequests = 20;

bool HasNeighbours(const Deployment& deployment) {
  return !deployment.stress && (deployment.tenants.size() > 1 ||
                                deployment.tenants.front().replicas > 1);
}

// By app, one a deployment in which it had neighbours.
std::vector<stats::Moments> GatherBeside(const Campaign& campaign,
                                         const Selection& rows,
                                         const std::vector<double>& speeds) {
  std::vector<stats::Moments> beside_ms(campaign.apps.size());
  for (const size_t row : rows) {
    const Observation& observation = campaign.observations[row];
    const Deployment& deployment = observation.deployment;
    if (!HasNeighbours(deployment)) {
      continue;
    }
    for (size_t t = 0; t < observation.outcomes.size(); ++t) {
      const Outcome& outcome = observation.outcomes[t];
      // What was under way at the end is in no request's time.
      if (outcome.cpu_ms_per_request && *outcome.cpu_ms_per_request > 0 &&
          !outcome.saturated && outcome.completed >= kLeastRequests) {
        beside_ms[deployment.tenants[t].app].Add(*outcome.cpu_ms_per_request *
                                                 speeds[deployment.server]);
      }
    }
  }
  return beside_ms;
}

}  // namespace

Result<std::vector<ProcessorTime>> FindProcessorTimes(const Campaign& campaign,
                                                      const Selection& rows) {
  const auto alone = FindAlone(campaign, rows);
  if (!alone) {
    return alone.error();
  }
  const auto beside_ms = GatherBeside(campaign, rows, alone->speeds);
  std::vector<double> ratios;
  for (size_t app = 0; app < beside_ms.size(); ++app) {
    if (const auto mean_ms = beside_ms[app].mean()) {
      ratios.push_back(*mean_ms / alone->apps[app].cpu_ms);
    }
  }
  const double usual = ratios.empty() ? 1 : std::max(1.0, Median(ratios));
  std::vector<ProcessorTime> times;
  for (size_t app = 0; app < beside_ms.size(); ++app) {
    const double alone_ms = alone->apps[app].cpu_ms;
    const double mean_ms = beside_ms[app].mean().value_or(usual * alone_ms);
    times.push_back({mean_ms, std::min(alone_ms, mean_ms)});
  }
  return times;
}

}  // namespace edgewise::contention
