// Decision: one thing that a controller has decided, with its reason and what
// it was decided on.
#ifndef EDGEWISE_CONTROL_DECISION_H_
#define EDGEWISE_CONTROL_DECISION_H_

#include <cstdint>
#include <optional>
#include <string>

namespace edgewise::control {

enum class DecisionKind {
  kCpu,         // a quota is set, changed or lifted
  kKnob,        // a knob is turned
  kMemory,      // a memory limit is set, changed or lifted
  kCores,       // the cores that an app may use
  kNice,        // where there is no cgroup to use
  kGivesWay,    // an app gets less than its goal takes
  kMeetsAgain,  // it gets all again
  kNoHelp,      // a goal is missed, and CPU would not help
  kHeat,        // the node may use less, or more again
  kRefused,     // something could or must not be done
  kJoined,      // an app is under control from now on
  kLeft,        // it is not any more
};
// "cpu", "knob", … "gives-way".
const char* DecisionKindName(DecisionKind kind);
// Whether a limit or knob of an app is changed by it.
bool IsChange(DecisionKind kind);

struct Decision {
  int64_t utc_ns = 0;
  DecisionKind kind = DecisionKind::kCpu;
  uint64_t app_id = 0;      // 0: the node
  std::string app;          // "car-tracker/0"; empty: the node
  std::string what;         // "CPU 0.8 → 1.1 cores"
  std::string why;          // one sentence, or two
  bool carried_out = true;  // false under --observe, and if it was refused

  // What it was decided on.
  std::string goal;                // as written
  std::optional<double> measured;  // in the unit of the goal
  std::string measured_text;       // for people
  std::optional<double> cpu_cores;
  std::optional<double> granted_cores;
  std::optional<double> wanted_cores;
  std::optional<double> node_wanted_cores;
  std::optional<double> node_capacity_cores;
  std::optional<double> hottest_c;
};

// One line: time, app, what and why.
std::string DecisionText(const Decision& decision);

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_DECISION_H_
