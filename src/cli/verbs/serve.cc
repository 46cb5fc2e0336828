// `edgewise serve`: answers over HTTP until it is told to end.
#include <poll.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <memory>

#include "cli/verbs.h"
#include "http/tokens.h"
#include "server/service.h"
#include "sessions/signal_guard.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string listen = "127.0.0.1";
  int port = 7001;
  std::string token_file;
};

Result<http::ServerSettings> SettingsOf(const Options& options) {
  http::ServerSettings settings;
  settings.host = options.listen;
  settings.port = options.port;
  if (!options.token_file.empty()) {
    auto tokens = http::ReadTokens(options.token_file);
    if (!tokens) {
      return Error{tokens.error().code,
                   "--token-file: " + tokens.error().message};
    }
    settings.tokens = std::move(*tokens);
  }
  return settings;
}

void WaitForEnd(SignalGuard& signals) {
  while (!signals.Next()) {
    pollfd waiting{signals.fd(), POLLIN, 0};
    (void)::poll(&waiting, 1, -1);
  }
}

int Execute(const Options& options) {
  const auto settings = SettingsOf(options);
  if (!settings) {
    return Fail(settings.error());
  }
  SignalGuard signals;  // before any thread, so that all have them blocked
  Service service;
  if (const auto started = service.Start(*settings); !started) {
    return Fail(started.error());
  }
  PrintToStderr("edgewise: serving at " +
                http::ServerUrl(options.listen, service.port()) +
                " (Ctrl-C ends it)\n");
  WaitForEnd(signals);
  service.Stop();
  return kExitDone;
}

}  // namespace

void AddServe(CLI::App& root, Context& context) {
  CLI::App* verb =
      root.add_subcommand("serve", "Answer over HTTP until Ctrl-C or SIGTERM");
  auto options = std::make_shared<Options>();
  verb->add_option("--listen", options->listen,
                   "Address to listen on (default 127.0.0.1: this machine "
                   "only)")
      ->type_name("ADDRESS");
  verb->add_option("--port", options->port,
                   "Port to listen on (default 7001; 0: a free one, which is "
                   "printed)")
      ->type_name("N")
      ->check(CLI::Range(0, 65535).description(""));
  verb->add_option("--token-file", options->token_file,
                   "File with a token a line, one of which callers must send")
      ->type_name("FILE");
  verb->footer(
      "What it answers is listed at /openapi.json.\n"
      "Example: edgewise serve --port 7001");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
