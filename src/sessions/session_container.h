// What a session adds to the container of an app: where the in-app library
// finds its collector, and where CUDA finds its recorder.
#ifndef EDGEWISE_SESSIONS_SESSION_CONTAINER_H_
#define EDGEWISE_SESSIONS_SESSION_CONTAINER_H_

#include <filesystem>
#include <string>

#include "base/result.h"
#include "containers/container.h"
#include "controls/guardian.h"
#include "sessions/settings.h"

namespace edgewise {

// The folder of the collector's socket, below a session's scratch folder; it is
// mounted as a whole, because a mounted socket dies with its collector. Other
// users may enter it: images choose theirs.
Result<std::filesystem::path> MakeSocketFolder(
    const std::filesystem::path& scratch);

// Makes the container of `settings.container`, completed.
Result<Container> MakeSessionContainer(Guardian& guardian,
                                       const SessionSettings& settings,
                                       const std::filesystem::path& socket_path,
                                       const std::filesystem::path& home,
                                       const std::string& run_id);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_SESSION_CONTAINER_H_
