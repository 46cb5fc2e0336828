// What more of a knob buys: speed-ups, fitted laws, values against each other.
#ifndef EDGEWISE_EXPERIMENTS_CURVE_LAWS_H_
#define EDGEWISE_EXPERIMENTS_CURVE_LAWS_H_

#include <string_view>

#include "experiments/curve.h"

namespace edgewise {

// All need points with their figures, and the knobs.
void AddSpeedUps(Curve* curve);
void FitLaws(Curve* curve);
void CompareValues(Curve* curve);

// Threads, cores and quotas: more of them should make more throughput.
bool IsScaling(std::string_view knob);
// Items arrive by themselves: throughput says nothing of what it could do.
bool IsOpenLoop(const KnobSetting& setting);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CURVE_LAWS_H_
