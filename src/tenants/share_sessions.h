// The programs that a share of a deployment consists of, as sessions.
#ifndef EDGEWISE_TENANTS_SHARE_SESSIONS_H_
#define EDGEWISE_TENANTS_SHARE_SESSIONS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "containers/engine.h"
#include "sessions/settings.h"
#include "tenants/deployment.h"

namespace edgewise::tenants {

struct ShareSessions {
  // The tenant program, which asks and, unless the tenant is a container,
  // answers.
  SessionSettings tenant;
  std::vector<SessionSettings> containers;  // one for each replica; or none
};

struct SharePlace {
  const Placed* placed = nullptr;
  std::filesystem::path log;  // of the requests
  int64_t epoch_ns = 0;       // of the log
  uint64_t seed = 1;
  const Engine* engine = nullptr;  // of containers
};

Result<ShareSessions> SessionsOf(const Share& share, const SharePlace& place,
                                 const DeployConditions& conditions);

// What runs containers, if any tenant is one.
Result<std::optional<Engine>> EngineFor(const std::vector<Placed>& placed);

// The stressor of a deployment.
SessionSettings StressSession(const Placed& placed, const StressSpec& spec,
                              const DeployConditions& conditions);

// "gcn x2 at 10/s, lstm x1 at 5/s beside cache:50".
std::string DeploymentText(const Deployment& deployment);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_SHARE_SESSIONS_H_
