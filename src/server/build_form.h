// What callers of the former profiler send: a form with an image and its
// arguments.
#ifndef EDGEWISE_SERVER_BUILD_FORM_H_
#define EDGEWISE_SERVER_BUILD_FORM_H_

#include <string>

#include "http/request.h"
#include "jobs/job_rules.h"
#include "server/problem.h"

namespace edgewise {

// `app_name` (an image), `app_args` and `app_docker_args` (each split as a
// shell would; never given to one), from the body or the query, as an app file.
OrProblem<std::string> AppFileOfBuild(const http::Request& request,
                                      const JobRules& rules);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_BUILD_FORM_H_
