// Goals: what the apps of a node have promised, what they may have, and what
// the node keeps for itself (docs/formats/goals.md).
#ifndef EDGEWISE_CONTROL_GOALS_H_
#define EDGEWISE_CONTROL_GOALS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/goal.h"

namespace edgewise::control {

// A knob of an app and the values that it may be set to, the best first.
struct KnobChoice {
  std::string name;
  std::vector<double> values;
};

struct AppGoal {
  std::optional<Goal> goal;  // none: it gets what the others leave
  double weight = 1;
  std::optional<double> min_cpu_cores;
  std::optional<double> max_cpu_cores;
  std::optional<int64_t> min_memory_bytes;
  std::optional<int64_t> max_memory_bytes;
  std::vector<int> cpus;  // the only ones that it may use; empty: all
  std::vector<KnobChoice> knobs;
};

struct NodeLimits {
  double reserve_cpu_share = 0.1;  // of all cores
  int64_t reserve_memory_bytes = 0;
  std::optional<double> thermal_limit_c;
};

struct Goals {
  // By "NAME", "NAME/INSTANCE", or "*": every app that is not named.
  std::map<std::string, AppGoal> apps;
  NodeLimits node;

  // What holds for an app; null if nothing does.
  const AppGoal* Find(const std::string& name,
                      const std::string& instance) const;
};

// `origin` is the file's name for messages. Keys that are not known, values
// without sense, and a min above its max are refused.
Result<Goals> ReadGoals(std::string_view yaml, std::string_view origin);

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_GOALS_H_
