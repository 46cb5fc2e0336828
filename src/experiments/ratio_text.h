// A ratio with its interval, as people read it.
#ifndef EDGEWISE_EXPERIMENTS_RATIO_TEXT_H_
#define EDGEWISE_EXPERIMENTS_RATIO_TEXT_H_

#include <string>

#include "stats/compare.h"

namespace edgewise {

// "1.83× (1.79–1.87)", "1.83× (insufficient samples)", or "--".
std::string RatioText(const stats::Comparison& comparison);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_RATIO_TEXT_H_
