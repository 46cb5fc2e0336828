// The best placement that can be found in a given time, and a bound on how much
// better any could be.
#ifndef EDGEWISE_ORCHESTRATION_OPTIMISE_H_
#define EDGEWISE_ORCHESTRATION_OPTIMISE_H_

#include <functional>
#include <optional>
#include <string>

#include "orchestration/server_load.h"

namespace edgewise::orchestration {

struct OptimiseSettings {
  double seconds = 10;
  uint64_t seed = 1;
  // Where requests stand now, and what moving one costs. Empty: nowhere.
  Assignment current;
  int64_t move_cost_micros = 0;
  // Stops as soon as so much is earned, or proven to be out of reach.
  std::optional<int64_t> enough_micros;
  // Whether to stop early; may be null.
  std::function<bool()> cancelled;
};

struct OptimiseAnswer {
  Assignment assignment;
  int64_t revenue_micros = 0;  // before the cost of moves
  int64_t moves = 0;
  int64_t moves_micros = 0;
  // No placement earns more.
  int64_t bound_micros = 0;
  double seconds = 0;
  double first_seconds = 0;  // until there was a placement
  std::string no_solver;     // why the bound is only the sum of all pay

  // The part of the bound that may be missing, from 0 to 1.
  double Gap() const;
};

// Requests that stand elsewhere than before.
int64_t CountMoves(const Assignment& current, const Assignment& assignment);

OptimiseAnswer Optimise(const Problem& problem,
                        const OptimiseSettings& settings);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_OPTIMISE_H_
