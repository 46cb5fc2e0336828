// Allocate: the cores of a whole node among its apps.
//
// All goals if they fit. Else apps with knobs are made cheaper, those with the
// least weight first; and if that is not enough, the goals that together
// weigh most are met in full, and the other apps share what is left.
#ifndef EDGEWISE_CONTROL_ALLOCATE_H_
#define EDGEWISE_CONTROL_ALLOCATE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace edgewise::control {

struct AppNeed {
  uint64_t id = 0;
  bool has_goal = false;  // else it takes what is left
  double weight = 1;
  double min_cores = 0;  // never below
  double max_cores = std::numeric_limits<double>::infinity();
  // What its goal takes at each level of its knobs, level 0 being the best;
  // one entry for an app without knobs. Not used without a goal.
  std::vector<double> cores_at_level = {0};
  // The level that it has, and the best that it may have now. It goes to a
  // better one only if there is room to spare.
  size_t level = 0;
  size_t best_level = 0;
  // It had all it needed last time: it is not sacrificed for one that weighs
  // hardly more.
  bool had_all = false;
};

struct AppGrant {
  uint64_t id = 0;
  double cores = 0;
  double wanted_cores = 0;  // at that level; 0 without a goal
  size_t level = 0;
  bool gives_way = false;  // it gets less than its goal takes
};

struct Allocation {
  double capacity_cores = 0;
  double wanted_cores = 0;       // by all goals, at the levels they have
  double left_cores = 0;         // granted to nobody
  std::vector<AppGrant> grants;  // in the order of the needs
};

Allocation Allocate(double capacity_cores, const std::vector<AppNeed>& needs);

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_ALLOCATE_H_
