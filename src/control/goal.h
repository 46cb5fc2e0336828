// Goal: what an app has promised, as one comparison.
#ifndef EDGEWISE_CONTROL_GOAL_H_
#define EDGEWISE_CONTROL_GOAL_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise::control {

enum class GoalKind {
  kRate,      // events a second
  kQuantile,  // of a span or job
  kValue,     // of a gauge
};

struct Goal {
  std::string text;  // as it was written
  GoalKind kind = GoalKind::kRate;
  // A span, job, rate or gauge; empty for "fps": the rate of that name, else
  // how often the app's main span is recorded.
  std::string metric;
  double quantile = 0;    // kQuantile: 0.5, 0.95 or 0.99
  bool at_least = false;  // else at most
  double bound = 0;       // a second, nanoseconds, or as reported
};

// "fps >= 15", "rate(frame) >= 15", "p95(inference) <= 900ms",
// "value(queue) <= 10". The error says what is wrong with the text.
Result<Goal> ParseGoal(std::string_view text);

// How far a measured value is from the goal: above 1 it is missed, 0.5 means
// twice as good as promised. `measured` in the unit of the bound.
double MissRatio(const Goal& goal, double measured);

// "12.3 per s", "845 ms", "7".
std::string FormatMeasured(const Goal& goal, double measured);

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_GOAL_H_
