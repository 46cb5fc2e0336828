// What slow-downs mean, in one plain sentence each.
#ifndef EDGEWISE_EXPERIMENTS_CONTEND_ADVICE_H_
#define EDGEWISE_EXPERIMENTS_CONTEND_ADVICE_H_

#include <string>
#include <vector>

#include "experiments/slow_down.h"

namespace edgewise {

// For each app, what it suffers from most; only what was shown to be slower
// counts. Then who is best kept apart, if pairs of apps were measured.
std::vector<std::string> ContendAdvice(const std::vector<std::string>& apps,
                                       const std::vector<SlowDown>& slow_downs);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CONTEND_ADVICE_H_
