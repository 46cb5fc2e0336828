// What a placement should be good at, beside keeping promises.
#ifndef EDGEWISE_ORCHESTRATION_GOAL_H_
#define EDGEWISE_ORCHESTRATION_GOAL_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "orchestration/optimise.h"

namespace edgewise::orchestration {

enum class Goal {
  kRevenue,  // earn the most
  kServers,  // the fewest servers that are not empty
  kTail,     // the least of a promised delay used up, where most is
  kEnergy,   // the fewest watts
};
std::optional<Goal> ParseGoal(std::string_view text);
std::string_view GoalName(Goal goal);

// A placement for a goal other than revenue. First as much is earned as can be
// found; then the goal is sought among placements of the same requests (for the
// tail: among those that earn no less).
struct GoalAnswer {
  OptimiseAnswer answer;  // its bound is about revenue
  double before = 0;      // servers, part of a delay or watts at first
  double cost = 0;        // and now
  // No placement among those needs less; nullopt: nothing is proven.
  std::optional<double> bound;

  // The part of the cost that may be needless, from 0 to 1.
  std::optional<double> Gap() const;
};

// For kEnergy all servers must state their watts; the error names one that does
// not. settings.current is where it begins; moves are not weighed.
Result<GoalAnswer> Pursue(const Problem& problem, Goal goal,
                          const OptimiseSettings& settings);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_GOAL_H_
