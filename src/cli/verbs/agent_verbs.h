// The parts of `edgewise agent`.
#ifndef EDGEWISE_CLI_VERBS_AGENT_VERBS_H_
#define EDGEWISE_CLI_VERBS_AGENT_VERBS_H_

#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "http/server.h"
#include "live/agent.h"
#include "live/export_metrics.h"
#include "live/push.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

// Options of the agent itself, as typed.
struct AgentOptions {
  std::string socket = live::kDefaultSocket;
  std::string socket_mode;
  std::string waggle_socket;
  std::string listen = "127.0.0.1";
  int port = 7003;
  bool no_http = false;
  std::string token_file;
  std::string cards;
  std::string old_names;
  std::string keep_gone = "60s";
  std::string push;
  std::string push_every = "15s";
  std::string host_root = "/";
  std::string goals;
  bool observe = false;
};

void AddAgentOptions(CLI::App& verb, AgentOptions& options);

// The same, checked.
struct AgentPlan {
  live::AgentSettings agent;
  http::ServerSettings http;
  live::OldNames old_names;
  std::optional<live::PushSettings> push;
};
Result<AgentPlan> PlanFrom(const AgentOptions& options, const Context& context);

// `agent record` and `agent capture`; `socket` is that of the agent's options,
// which must live as long.
void AddAgentRecord(CLI::App& verb, Context& context,
                    const std::string& socket);
void AddAgentCapture(CLI::App& verb, Context& context,
                     const std::string& socket);
// `agent log`.
void AddAgentLog(CLI::App& verb, Context& context);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_AGENT_VERBS_H_
