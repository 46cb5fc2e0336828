// The page /jobs: all jobs, their logs as they grow, and what came out of them.
// web/ bundles it.
#ifndef EDGEWISE_SERVER_JOBS_PAGE_H_
#define EDGEWISE_SERVER_JOBS_PAGE_H_

#include <string_view>

namespace edgewise {

std::string_view JobsPage();

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_JOBS_PAGE_H_
