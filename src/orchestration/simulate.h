// Simulate: a placement replayed request by request (orchestration/replay.h),
// where the predictor knows averages only.
#ifndef EDGEWISE_ORCHESTRATION_SIMULATE_H_
#define EDGEWISE_ORCHESTRATION_SIMULATE_H_

#include <cstdint>
#include <vector>

#include "orchestration/pressure_model.h"
#include "orchestration/problem.h"
#include "orchestration/promise_seen.h"

namespace edgewise::orchestration {

struct SimulateSettings {
  double seconds = 120;  // after the warm-up
  double warmup_s = 5;
  uint64_t seed = 1;
  int queue = 256;  // of a replica, as tenants have it
};

// By request; nothing was seen of those that stand nowhere. `figures` are those
// of the problem's predictor.
std::vector<PromiseSeen> Simulate(const Problem& problem,
                                  const PressureFigures& figures,
                                  const Assignment& assignment,
                                  const SimulateSettings& settings);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_SIMULATE_H_
