// Asking an agent that runs on this machine; see live/control_server.h.
#ifndef EDGEWISE_LIVE_CONTROL_CLIENT_H_
#define EDGEWISE_LIVE_CONTROL_CLIENT_H_

#include <string>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise::live {

// All of the answer. kNotFound: no agent listens there.
Result<std::string> AskAgent(const std::string& socket_path,
                             const std::string& request);

// The app that an agent knows by a name.
struct FoundApp {
  int pid = 0;
  std::string name;
  std::string instance;
};
Result<FoundApp> FindAppOfAgent(const std::string& socket_path,
                                const std::string& app);

// A connection over which frames of the app come (live/tap.h).
Result<UniqueFd> OpenTap(const std::string& socket_path,
                         const std::string& app);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_CONTROL_CLIENT_H_
