// What more of a knob buys: speed-ups, fitted laws, values against each other.
#ifndef EDGEWISE_EXPERIMENTS_CURVE_LAWS_H_
#define EDGEWISE_EXPERIMENTS_CURVE_LAWS_H_

#include "experiments/curve.h"

namespace edgewise {

// All need points with their figures, and the knobs.
void AddSpeedUps(Curve* curve);
void FitLaws(Curve* curve);
void CompareValues(Curve* curve);

// Items arrive by themselves: throughput says nothing of what it could do.
bool IsOpenLoop(const KnobSetting& setting);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CURVE_LAWS_H_
