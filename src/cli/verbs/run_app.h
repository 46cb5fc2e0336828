// `edgewise run app.yaml`: the part of `run` that is about app files.
#ifndef EDGEWISE_CLI_VERBS_RUN_APP_H_
#define EDGEWISE_CLI_VERBS_RUN_APP_H_

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "sessions/settings.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

struct AppFileOptions {
  std::string image;   // instead of the file's
  std::string target;  // one only
  int repeat = 1;
  bool json = false;
  bool quiet = false;
};

// The app file that the words of `run` name; nullopt: they are a command. Words
// after `--` always are one.
std::optional<std::string> AppFileNamed(const CLI::App& verb,
                                        const Context& context);

// Runs it and shows the Runs; `settings` are what the options of `run` say.
// Returns the exit code: as any other verb's, or the app's own.
int RunAppFile(const std::string& file, const SessionSettings& settings,
               const AppFileOptions& options, const Context& context);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_RUN_APP_H_
