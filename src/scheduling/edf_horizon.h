// How far demand must be compared with supply: if some window demands too
// much, so does one that is no longer than this.
#ifndef EDGEWISE_SCHEDULING_EDF_HORIZON_H_
#define EDGEWISE_SCHEDULING_EDF_HORIZON_H_

#include <cstdint>

#include "base/result.h"
#include "scheduling/demand.h"
#include "scheduling/supply.h"

namespace edgewise::scheduling {

// For tasks, all with positive deadlines, that load the supply to at most
// 100%; `full` says that it is exactly 100%. The least of the busy period, of
// what slack leaves (load below 100%), and of the hyperperiod (exactly 100%).
Result<int64_t> HorizonOf(const Demand& demand, const Supply& supply,
                          bool full);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_EDF_HORIZON_H_
