// What a controller remembers of one app.
#ifndef EDGEWISE_CONTROL_CONTROLLED_APP_H_
#define EDGEWISE_CONTROL_CONTROLLED_APP_H_

#include <cstdint>
#include <optional>

#include "control/controller.h"
#include "control/demand.h"
#include "control/knob_ladder.h"
#include "control/quota_hold.h"

namespace edgewise::control {

// Nobody is starved to death.
inline constexpr double kLeastCores = 0.05;

struct Controller::App {
  explicit App(int64_t now_ns) : demand(now_ns) {}

  Demand demand;
  KnobLadder ladder;
  QuotaHold quota;
  std::optional<double> settling_cores;  // what a knob is expected to need
  double wanted_cores = 0;
  bool had_all = true;
  bool gives_way = false;
  int64_t told_no_help_ns = 0;
  std::optional<int64_t> memory_bytes;
  bool joined = false;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_CONTROLLED_APP_H_
