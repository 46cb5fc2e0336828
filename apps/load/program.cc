#include "load/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>

#include "load/stop.h"

namespace edgewise::apps {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitEnvironment = 3;

void PrintError(const CLI::App& app, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), message.c_str());
}

}  // namespace

std::optional<int> ParseCommandLine(int argc, char** argv, CLI::App& app) {
  app.set_help_flag("--help,-h", "Print this help and exit");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& error) {
    PrintError(app, std::string(error.what()) + " (see --help)");
    return kExitUsage;
  }
  return std::nullopt;
}

int Fail(const CLI::App& app, const Error& error) {
  PrintError(app, error.message);
  const bool input =
      error.code == ErrorCode::kInvalid || error.code == ErrorCode::kNotFound;
  return input ? kExitUsage : kExitEnvironment;
}

int RunProgram(int argc, char** argv, CLI::App& app, const LoadFlags& flags,
               const std::function<Result<Outcome>(const LoadOptions&)>& body) {
  if (const auto code = ParseCommandLine(argc, argv, app)) {
    return *code;
  }
  const auto options = flags.Check();
  if (!options) {
    return Fail(app, options.error());
  }
  CatchStopSignals();
  try {
    const auto outcome = body(*options);
    if (!outcome) {
      return Fail(app, outcome.error());
    }
    const std::string text =
        options->json ? OutcomeJson(app.get_name(), *options, *outcome)
                      : OutcomeText(app.get_name(), *options, *outcome);
    std::fputs(text.c_str(), stdout);
  } catch (const std::exception& error) {
    // Libraries throw where the input is not what they can work on.
    return Fail(app, Error{ErrorCode::kInvalid, error.what()});
  }
  if (std::fflush(stdout) != 0) {
    return Fail(app, Error{ErrorCode::kIo, "cannot write to stdout"});
  }
  return 0;
}

}  // namespace edgewise::apps
