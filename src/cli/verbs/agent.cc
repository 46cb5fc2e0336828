// `edgewise agent`: collects from all apps of this node until it is told to
// end.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/verbs.h"
#include "cli/verbs/agent_verbs.h"
#include "control/keeper.h"
#include "http/server.h"
#include "live/agent_http.h"
#include "sessions/signal_guard.h"

namespace edgewise::cli {
namespace {

int Execute(const AgentOptions& options, const Context& context) {
  auto plan = PlanFrom(options, context);
  if (!plan) {
    return Fail(plan.error());
  }
  plan->agent.version = EDGEWISE_VERSION;
  // Memory that the threads of the server free is used again by all.
  (void)::mallopt(M_ARENA_MAX, 1);
  SignalGuard signals;  // before any thread, so that all have them blocked
  // Outlives the agent, and undoes what that can not.
  std::optional<control::Keeper> keeper;
  if (plan->agent.control && !plan->agent.control->observe) {
    auto started = control::Keeper::Start(context.home);
    if (!started) {
      return Fail(started.error());
    }
    keeper.emplace(std::move(*started));
  }
  auto agent = live::Agent::Create(plan->agent);
  if (!agent) {
    return Fail(agent.error());
  }
  std::unique_ptr<http::Server> server;
  if (!options.no_http) {
    // Tokens protect what is served where there are any.
    const http::Access access =
        plan->http.tokens.empty() ? http::Access::kOpen : http::Access::kToken;
    auto started = http::StartServer(
        plan->http, live::AgentRouter(**agent, plan->old_names, access));
    if (!started) {
      return Fail(started.error());
    }
    server = std::move(*started);
  }
  PrintToStderr("edgewise: agent listens at " + options.socket +
                (server ? ", serves " +
                              http::ServerUrl(options.listen, server->port()) +
                              "/metrics and /"
                        : std::string()) +
                (options.goals.empty() ? ""
                 : options.observe ? ", observes the goals of " + options.goals
                                   : ", keeps the goals of " + options.goals) +
                " (Ctrl-C ends it)\n");
  std::unique_ptr<live::Pusher> pusher;
  if (plan->push) {
    auto started = live::Pusher::Start(
        *plan->push,
        [&agent, names = plan->old_names] {
          return live::MetricsText(
              (*agent)->Snapshot(live::Intervals::kWithout),
              http::ExpositionFormat::kText, names);
        },
        [](const std::string& message) { PrintError(message); });
    if (!started) {
      return Fail(started.error());
    }
    pusher = std::move(*started);
  }
  (*agent)->Run(signals.fd());
  while (signals.Next()) {
  }
  pusher.reset();
  if (server) {
    server->Stop();
  }
  return kExitDone;
}

}  // namespace

void AddAgent(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "agent",
      "Watch all apps of this node as they run, export that, keep their goals");
  auto options = std::make_shared<AgentOptions>();
  AddAgentOptions(*verb, *options);
  AddAgentRecord(*verb, context, options->socket);
  AddAgentCapture(*verb, context, options->socket);
  AddAgentLog(*verb, context);
  for (CLI::App* inner : verb->get_subcommands({})) {
    inner->fallthrough();
  }
  verb->footer(
      "Apps with the in-app library connect by themselves; docs/agent.md says "
      "what is exported.\n"
      "Examples:\n"
      "  edgewise agent --cards cards/\n"
      "  edgewise agent --goals goals.yaml --observe\n"
      "  edgewise agent log --last 20\n"
      "  edgewise agent record --app car-tracker --for 60s\n"
      "  edgewise agent capture --app car-tracker --for 10s");
  verb->callback([options, verb, &context] {
    if (verb->get_subcommands().empty()) {
      context.exit_code = Execute(*options, context);
    }
  });
}

}  // namespace edgewise::cli
