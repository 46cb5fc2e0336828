// What `edgewise agent` is told.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/text.h"
#include "cli/option_values.h"
#include "cli/verbs/agent_verbs.h"
#include "http/tokens.h"

namespace edgewise::cli {
namespace {

Result<live::OldNames> OldNamesFrom(const std::string& text) {
  live::OldNames names;
  if (text.empty()) {
    return names;
  }
  for (const std::string_view word : Split(text, ',')) {
    if (word == "tegra") {
      names.tegra = true;
    } else if (word == "char") {
      names.characterisation = true;
    } else if (word == "waggle") {
      names.waggle = true;
    } else {
      return Error{ErrorCode::kInvalid,
                   "--old-names: there is no \"" + std::string(word) +
                       "\"; choose from tegra, char, waggle"};
    }
  }
  return names;
}

Result<std::optional<mode_t>> ModeFrom(const std::string& text) {
  if (text.empty()) {
    return std::optional<mode_t>();
  }
  mode_t mode = 0;
  for (const char c : text) {
    if (c < '0' || c > '7' || text.size() > 4) {
      return Error{ErrorCode::kInvalid,
                   "--socket-mode: \"" + text +
                       "\" is no mode; write it in octal, such as 0660"};
    }
    mode = mode * 8 + static_cast<mode_t>(c - '0');
  }
  return std::optional(mode & 0777);
}

}  // namespace

void AddAgentOptions(CLI::App& verb, AgentOptions& options) {
  const auto text = [&verb](const char* flag, std::string& value,
                            const char* type, const char* description) {
    verb.add_option(flag, value, description)->type_name(type);
  };
  text("--socket", options.socket, "PATH",
       "Where apps connect (default /run/edgewise/agent.sock)");
  text("--socket-mode", options.socket_mode, "MODE",
       "Who may connect, in octal (default 0666 as root, else 0600)");
  text("--waggle-socket", options.waggle_socket, "PATH",
       "Also take apps of the old Waggle library, e.g. at "
       "/metrics/live_metrics.sock");
  text("--listen", options.listen, "ADDRESS",
       "Address of /metrics and the live page (default 127.0.0.1: this "
       "machine only)");
  verb.add_option("--port", options.port,
                  "Port of both (default 7003; 0: a free one, which is "
                  "printed)")
      ->type_name("N")
      ->check(CLI::Range(0, 65535).description(""));
  verb.add_flag("--no-http", options.no_http, "Serve neither");
  text("--token-file", options.token_file, "FILE",
       "File with a token a line, one of which callers must send");
  text("--cards", options.cards, "DIR",
       "Mark apps that leave their card, by these cards");
  text("--goals", options.goals, "FILE",
       "Keep the goals of this file: give apps what they need for them "
       "(docs/control.md)");
  verb.add_flag("--observe", options.observe,
                "With --goals: decide and log, but change nothing");
  text("--old-names", options.old_names, "LIST",
       "Also export names that existing dashboards read: tegra, char, waggle");
  text("--keep-gone", options.keep_gone, "TIME",
       "Show an app that long after its end (default 60s)");
  text("--push", options.push, "URL",
       "Push the metrics to a Pushgateway, e.g. http://gateway:9091");
  text("--push-every", options.push_every, "TIME",
       "Time between pushes (default 15s)");
  text("--host-root", options.host_root, "DIR",
       "Where the machine's file system is, for an agent in a container");
}

Result<AgentPlan> PlanFrom(const AgentOptions& options,
                           const Context& context) {
  AgentPlan plan;
  const auto mode = ModeFrom(options.socket_mode);
  if (!mode) {
    return mode.error();
  }
  const auto keep_gone = DurationOption("--keep-gone", options.keep_gone);
  if (!keep_gone) {
    return keep_gone.error();
  }
  const auto push_every = DurationOption("--push-every", options.push_every);
  if (!push_every) {
    return push_every.error();
  }
  auto old_names = OldNamesFrom(options.old_names);
  if (!old_names) {
    return old_names.error();
  }
  plan.old_names = *old_names;
  plan.agent.socket_path = options.socket;
  plan.agent.socket_mode = *mode;
  plan.agent.waggle_socket = options.waggle_socket;
  plan.agent.cards = options.cards;
  if (!options.goals.empty()) {
    plan.agent.control =
        live::ControlSettings{options.goals, options.observe, context.home};
  } else if (options.observe) {
    return Error{ErrorCode::kInvalid,
                 "--observe is about goals: name their file with --goals"};
  }
  plan.agent.host_root = options.host_root;
  plan.agent.home = context.home;
  plan.agent.keep_gone_ns = keep_gone->value_or(60 * kNsPerSecond);
  plan.http.host = options.listen;
  plan.http.port = options.port;
  if (!options.token_file.empty()) {
    auto tokens = http::ReadTokens(options.token_file);
    if (!tokens) {
      return Error{tokens.error().code,
                   "--token-file: " + tokens.error().message};
    }
    plan.http.tokens = std::move(*tokens);
  }
  if (!options.push.empty()) {
    live::PushSettings push;
    push.url = options.push;
    push.every_ns = push_every->value_or(15 * kNsPerSecond);
    char host[256] = {};
    (void)::gethostname(host, sizeof(host) - 1);
    push.instance = host;
    if (const auto url = live::PushUrl(push); !url) {
      return Error{url.error().code, "--push: " + url.error().message};
    }
    plan.push = std::move(push);
  }
  return plan;
}

}  // namespace edgewise::cli
