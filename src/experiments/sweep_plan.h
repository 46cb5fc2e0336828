// What a sweep will run: every combination of its knobs, each several times,
// in an order that drift of the machine cannot favour.
#ifndef EDGEWISE_EXPERIMENTS_SWEEP_PLAN_H_
#define EDGEWISE_EXPERIMENTS_SWEEP_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "experiments/knob.h"
#include "sessions/settings.h"

namespace edgewise {

struct SweepRequest {
  // The command and all that stays the same; {NAME} stands for a knob's value
  // in the command, --env, --prepare and --cleanup.
  SessionSettings base;
  std::vector<Knob> knobs;
  int repeat = 5;
  uint64_t seed = 1;  // of the order
};

struct SweepStep {
  size_t point = 0;  // index of SweepPlan::points
  int repeat = 0;
};

struct SweepPoint {
  KnobSetting setting;
  std::string name;  // FormatSetting; kept as Run::group_role
  SessionSettings settings;
};

struct SweepPlan {
  std::vector<SweepPoint> points;
  // Rounds: each has every point once, in random order.
  std::vector<SweepStep> steps;
  // Equal for equal requests: what an interrupted sweep is found by.
  uint64_t digest = 0;
};

// Checks every point before anything runs. Refused: a knob whose {NAME}
// appears nowhere, values that make no sense for it, and whatever
// CheckSettings refuses; the error names the point.
Result<SweepPlan> PlanSweep(const SweepRequest& request);

// What a sweep keeps with each of its Runs (Run::experiment): its seed and
// knobs with their values in the order given; and the knobs back from it.
// Empty if the text is no sweep's.
std::string FormatSweep(const SweepRequest& request);
std::vector<Knob> KnobsOfSweep(std::string_view experiment);

// How an app is loaded, as flags that the sample apps (and others, if they
// take the same) understand: "single" is --max, one at a time;
// "poisson:20" is --rate 20 --arrivals poisson; "at-once" is
// --arrivals at-once.
Result<std::vector<std::string>> LoadFlags(std::string_view load);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_SWEEP_PLAN_H_
