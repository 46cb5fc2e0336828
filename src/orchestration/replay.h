// Replay: what happens on one server, request by request.
//
// Arrivals are Poisson, service times lognormal, queues bounded. Replicas at
// work share the cores (core_shares.h), as the kernel's fair scheduler has it
// in the long run; in the short run, a request that finds all cores taken
// waits for others' time slices before it begins. Caches are warm where a
// replica has the server to itself. A quota is a budget for each of the
// kernel's periods.
#ifndef EDGEWISE_ORCHESTRATION_REPLAY_H_
#define EDGEWISE_ORCHESTRATION_REPLAY_H_

#include <cstdint>
#include <vector>

#include "orchestration/core_shares.h"
#include "orchestration/pressure_model.h"

namespace edgewise::orchestration {

struct ReplaySettings {
  double seconds = 120;  // after the warm-up; requests that arrive then count
  double warmup_s = 5;
  double follow_s = 0;  // for so much longer answers are waited for
  uint64_t seed = 1;
  int queue = 256;  // of a replica, as tenants have it
};

struct Answer {
  double arrival_s = 0;   // since the begin of the warm-up
  double response_s = 0;  // infinite: refused, or not given by the end
};

// By tenant, in the order of arrival.
std::vector<std::vector<Answer>> Replay(
    const PressureFigures& figures, const ReplayServer& server,
    const std::vector<ReplayTenant>& tenants, const ReplaySettings& settings);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_REPLAY_H_
