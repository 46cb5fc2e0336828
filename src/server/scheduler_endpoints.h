// What a Kubernetes scheduler asks of `edgewise serve`.
#ifndef EDGEWISE_SERVER_SCHEDULER_ENDPOINTS_H_
#define EDGEWISE_SERVER_SCHEDULER_ENDPOINTS_H_

#include "server/scheduler.h"
#include "server/service.h"

namespace edgewise {

// POST /scheduler/filter and /scheduler/prioritize, without a token: a
// scheduler cannot send one. `scheduler` must outlive the service.
void AddSchedulerEndpoints(Service& service, Scheduler& scheduler);

// Schemas of bodies; see Service::AddSchemas.
extern const char kSchedulerSchemas[];

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_SCHEDULER_ENDPOINTS_H_
