// What a curve says, in plain words.
#ifndef EDGEWISE_EXPERIMENTS_CURVE_ADVICE_H_
#define EDGEWISE_EXPERIMENTS_CURVE_ADVICE_H_

#include <string>
#include <vector>

#include "experiments/curve.h"

namespace edgewise {

// "2 threads on 2 cores", "half a core", "model=resnet18".
std::string DescribeSetting(const KnobSetting& setting);

// From points, laws and comparisons; the sentence on what to choose first.
std::vector<std::string> AdviseOn(const Curve& curve);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CURVE_ADVICE_H_
