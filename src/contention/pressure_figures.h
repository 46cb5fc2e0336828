// The figures of a pressure model, from a fitted Sharing and what was measured.
#ifndef EDGEWISE_CONTENTION_PRESSURE_FIGURES_H_
#define EDGEWISE_CONTENTION_PRESSURE_FIGURES_H_

#include <vector>

#include "contention/campaign.h"
#include "contention/predictor.h"
#include "contention/sharing.h"
#include "orchestration/pressure_model.h"

namespace edgewise::contention {

// Ranks by server: 0 of the fastest.
std::vector<int> RanksOf(const Sharing& sharing);

// `sharing` was fitted to `rows`. `basis` and errors are left as they are.
orchestration::PressureFigures FiguresFrom(const Campaign& campaign,
                                           const Selection& rows,
                                           const Sharing& sharing);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_PRESSURE_FIGURES_H_
