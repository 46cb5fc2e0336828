// Fits the pressure model to what a campaign measured.
#ifndef EDGEWISE_CONTENTION_FIT_SHARING_H_
#define EDGEWISE_CONTENTION_FIT_SHARING_H_

#include "base/result.h"
#include "contention/predictor.h"
#include "contention/sharing.h"

namespace edgewise::contention {

// An app's service alone comes from its baseline or sensitivity rows; what it
// does to others and suffers from them from these and all other rows, held
// near the usual where little was measured. So an app with baseline and
// sensitivity rows needs no others. kInvalid: an app of the campaign has
// neither, or servers differ in cores.
Result<Sharing> FitSharing(const Campaign& campaign, const Selection& rows);

// The same with a known start, in few steps: for resampled rows.
Sharing RefitSharing(const Campaign& campaign, const Selection& rows,
                     const Sharing& start);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_FIT_SHARING_H_
