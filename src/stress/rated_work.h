// Pressure that is a rate: find out how much there can be, then apply a share.
#ifndef EDGEWISE_STRESS_RATED_WORK_H_
#define EDGEWISE_STRESS_RATED_WORK_H_

#include <functional>
#include <string>
#include <vector>

#include "stress/pace.h"
#include "stress/stressor.h"

namespace edgewise {

struct RatedWork {
  std::string name;  // of what moves: "copied"
  // One per thread, at least one. Each does a little and returns its bytes;
  // below 0 if it failed.
  std::vector<std::function<double()>> pieces;
  std::string hint;  // one sentence on why the rate may be missed
};

// Runs all pieces without rest for a moment, which gives the maximum, then at
// `dial_percent` of it until `stop` is over. Dial 0 rests from the start.
StressOutcome ApplyRate(const StopClock& stop, double dial_percent,
                        const RatedWork& work);

}  // namespace edgewise

#endif  // EDGEWISE_STRESS_RATED_WORK_H_
