// `edgewise top`: the apps of this node in a terminal.
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/option_values.h"
#include "cli/verbs.h"
#include "live/agent.h"
#include "live/control_client.h"
#include "live/top_text.h"
#include "sessions/signal_guard.h"

namespace edgewise::cli {
namespace {

// Moves to the upper left and clears what is below.
constexpr char kHome[] = "\x1b[H\x1b[J";

struct Options {
  std::string socket = live::kDefaultSocket;
  std::string every = "2s";
  int count = 0;
  bool json = false;
};

int Execute(const Options& options) {
  const auto every = DurationOption("--every", options.every);
  if (!every) {
    return Fail(every.error());
  }
  const bool screen = ::isatty(STDOUT_FILENO) == 1 && !options.json;
  // A pipe gets it once, unless more is asked for.
  const int count = options.count > 0 ? options.count : screen ? 0 : 1;
  const std::string socket = live::ControlSocketOf(options.socket);
  SignalGuard signals;
  for (int shown = 1;; ++shown) {
    const auto text = live::AskAgent(
        socket, options.json
                    ? "snapshot"
                    : "top " + live::TopStyleText(StyleFor(STDOUT_FILENO)));
    if (!text) {
      return Fail(text.error());
    }
    Print((screen && count != 1 ? kHome : "") + *text);
    if (shown == count) {
      return kExitDone;
    }
    pollfd waiting{signals.fd(), POLLIN, 0};
    (void)::poll(&waiting, 1, static_cast<int>(every->value_or(0) / kNsPerMs));
    if (signals.Next()) {
      return kExitDone;
    }
  }
}

}  // namespace

void AddTop(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "top", "Show the apps of this node as they run (needs edgewise agent)");
  auto options = std::make_shared<Options>();
  verb->add_option("--socket", options->socket,
                   "The agent's socket (default /run/edgewise/agent.sock)")
      ->type_name("PATH");
  verb->add_option("--every", options->every,
                   "Time between two looks (default 2s)")
      ->type_name("TIME");
  verb->add_option("--count", options->count,
                   "End after so many (default: until Ctrl-C; 1 into a pipe)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""));
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Times without enough samples for an interval are shown as --.\n"
      "Example: edgewise top --every 1s");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
