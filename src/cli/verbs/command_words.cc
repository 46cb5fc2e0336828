#include "cli/verbs/command_words.h"

#include <CLI/CLI.hpp>

#include "base/nearest.h"

namespace edgewise::cli {

Result<std::vector<std::string>> CommandFrom(const CLI::App& verb,
                                             const Context& context) {
  std::vector<std::string> command = verb.remaining();
  if (!command.empty() && command.front().starts_with("-")) {
    std::vector<std::string> known;
    for (const CLI::Option* option : verb.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        known.push_back("--" + name);
      }
    }
    const std::string flag =
        command.front().substr(0, command.front().find('='));
    const auto near = Nearest(flag, known);
    return Error{ErrorCode::kInvalid,
                 verb.get_name() + " has no option " + flag +
                     (near ? ": did you mean " + *near + "?"
                           : ": see edgewise " + verb.get_name() +
                                 " --help, and put -- before the command")};
  }
  command.insert(command.end(), context.command.begin(), context.command.end());
  return command;
}

}  // namespace edgewise::cli
