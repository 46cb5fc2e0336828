// `edgewise init`: a folder to start with.
#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "cli/verbs.h"
#include "project/starter.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string folder;
  bool force = false;
};

std::string Lines(const char* what, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += std::string("  ") + what + " " + name + "\n";
  }
  return text;
}

int Execute(const Options& options) {
  const auto outcome = MakeStarter(options.folder, options.force);
  if (!outcome) {
    return Fail(outcome.error());
  }
  Print(options.folder + ":\n" + Lines("made", outcome->made) +
        Lines("is there already:", outcome->same));
  for (const std::string& name : outcome->kept) {
    PrintError(name + " is there with other content and was not changed: " +
               "move it away and run init --force again to get the starter's");
  }
  Print("\nNext:\n  cd " + ShellQuote({options.folder}) +
        "\n  ./profile.sh      # every step, from measuring to the bundle; "
        "README.md has them one by one\n"
        "If edgewise is not installed, say where it is (its source tree as "
        "built, or a prefix):\n"
        "  EDGEWISE=PATH ./profile.sh\n");
  return kExitDone;
}

}  // namespace

void AddInit(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "init", "Make a folder to start with: sample pipelines, every step");
  auto options = std::make_shared<Options>();
  verb->add_option("DIR", options->folder, "Folder to make, or an empty one")
      ->required();
  verb->add_flag("--force", options->force,
                 "Into a folder that is not empty: put in what is missing; no "
                 "file that is there is changed");
  verb->footer(
      "The folder has a pipeline in C++ and one in Python, goals, a script of "
      "all steps,\nand places for cards, logs, plots and the plan.\n"
      "Example: edgewise init lab && cd lab && ./profile.sh");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
