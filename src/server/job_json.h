// Jobs as JSON.
#ifndef EDGEWISE_SERVER_JOB_JSON_H_
#define EDGEWISE_SERVER_JOB_JSON_H_

#include <string>
#include <vector>

#include "jobs/job.h"

namespace edgewise {

std::string JobJson(const AppJob& job);
std::string JobListJson(const std::vector<AppJob>& jobs);
// "/api/v1/jobs/ID".
std::string JobPath(const std::string& id);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_JOB_JSON_H_
