// Worst-case response times under earliest deadline first on a whole core.
//
// Preemptive: Spuri (1996). Non-preemptive: George, Rivierre and Spuri (1996).
// Both look at a job that arrives at `a` while all other tasks are released
// together at 0 as densely as they may, for every `a` at which a deadline of
// another job coincides with its own. Exact for sporadic tasks; with jitter
// exact if the jobs of a task become ready in order. Deadlines that tie count
// against the job.
#ifndef EDGEWISE_SCHEDULING_EDF_RESPONSE_H_
#define EDGEWISE_SCHEDULING_EDF_RESPONSE_H_

#include <span>

#include "base/result.h"
#include "scheduling/response.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Bounds hold also where deadlines are missed, as long as late jobs run on and
// the load is at most 100%; above that there are none. Refused as in
// AnalyseEdf.
Result<ResponseBounds> EdfResponses(std::span<const Task> tasks,
                                    bool preemptive);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_EDF_RESPONSE_H_
