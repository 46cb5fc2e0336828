// Actor: whoever takes part in a contention experiment: an app, a stressor, or
// a probe.
#ifndef EDGEWISE_EXPERIMENTS_ACTOR_H_
#define EDGEWISE_EXPERIMENTS_ACTOR_H_

#include <optional>
#include <string>
#include <vector>

#include "stress/stress_spec.h"

namespace edgewise {

struct Actor {
  std::string name;  // unique within an experiment: "image", "cache:50"
  std::vector<std::string> command;
  std::string span;                  // its items; empty: found out
  std::optional<StressSpec> stress;  // of a stressor
};

// `program` is edgewise itself, which is both.
Actor StressActor(const std::string& program, const StressSpec& spec);
Actor ProbeActor(const std::string& program, StressKind kind);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_ACTOR_H_
