// A LaunchRequest as the guardian reads it: a memfd, because arguments and
// environment may be larger than any message.
#ifndef EDGEWISE_CONTROLS_LAUNCH_REQUEST_H_
#define EDGEWISE_CONTROLS_LAUNCH_REQUEST_H_

#include "base/cgroups.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "controls/guardian.h"

namespace edgewise {

// Writes the request (guardian_protocol.h, RequestHead) with the folders of
// `cgroups` that the program shall enter.
Result<UniqueFd> EncodeLaunchRequest(const LaunchRequest& request,
                                     const CgroupFolders& cgroups);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_LAUNCH_REQUEST_H_
