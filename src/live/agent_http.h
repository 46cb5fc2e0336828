// What the agent answers over HTTP: /metrics, /api/v1/apps, /healthz and the
// live page at /.
#ifndef EDGEWISE_LIVE_AGENT_HTTP_H_
#define EDGEWISE_LIVE_AGENT_HTTP_H_

#include "http/router.h"
#include "live/agent.h"
#include "live/export_metrics.h"

namespace edgewise::live {

// The agent must outlive the router's server.
http::Router AgentRouter(const Agent& agent, const OldNames& old_names,
                         http::Access access);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_AGENT_HTTP_H_
