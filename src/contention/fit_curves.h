// Curves of slow-downs over a pressure that adds up.
//
// How long service takes depends on who the others are; a pressure that adds up
// knows only how much they want. Each app's curve begins as the one that fits
// best to what a Sharing says of many deployments drawn at random, and is then
// moved towards what was measured.
#ifndef EDGEWISE_CONTENTION_FIT_CURVES_H_
#define EDGEWISE_CONTENTION_FIT_CURVES_H_

#include <vector>

#include "contention/campaign.h"
#include "contention/predictor.h"
#include "contention/sharing.h"

namespace edgewise::contention {

// exp(height · P^bend): finite at every pressure, since a light tenant keeps
// its even share however much the others want.
struct PressureCurve {
  double height = 1;
  double bend = 1;

  double At(double pressure) const;
};

struct FittedCurves {
  std::vector<PressureCurve> curves;  // by app
  double uneven = 1;                  // these as in SharedService
  double wait = 1;
  double skew = 1;
};

FittedCurves FitCurves(const Campaign& campaign, const Selection& rows,
                       const Sharing& sharing);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_FIT_CURVES_H_
