// How far a prediction is from what was measured of one tenant, as residuals
// for least squares.
#ifndef EDGEWISE_CONTENTION_OUTCOME_RESIDUALS_H_
#define EDGEWISE_CONTENTION_OUTCOME_RESIDUALS_H_

#include <cstddef>

#include "contention/campaign.h"
#include "orchestration/response_law.h"

namespace edgewise::contention {

// Figures of the response, then the mean and the spread of the service.
inline constexpr std::ptrdiff_t kResidualsOfRow = kFigures + 2;

// Relative errors over what so many requests can tell; 0 where nothing was
// measured. A figure that is only known from below pulls from below.
void WriteResiduals(const orchestration::SharedService& served,
                    const Outcome& outcome, double* to);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_OUTCOME_RESIDUALS_H_
