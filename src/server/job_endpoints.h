// Jobs over HTTP: handed over, listed, followed, cancelled, and what came out
// of them (docs/jobs.md).
#ifndef EDGEWISE_SERVER_JOB_ENDPOINTS_H_
#define EDGEWISE_SERVER_JOB_ENDPOINTS_H_

#include <filesystem>

#include "jobs/job_queue.h"
#include "server/service.h"

namespace edgewise {

// `queue` must outlive the service's last answer; `home` is the store's.
void AddJobEndpoints(Service& service, JobQueue& queue,
                     const std::filesystem::path& home);

extern const char kJobSchemas[];

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_JOB_ENDPOINTS_H_
