// The measured command on the command line of `run` and its kin.
#ifndef EDGEWISE_CLI_VERBS_COMMAND_WORDS_H_
#define EDGEWISE_CLI_VERBS_COMMAND_WORDS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

// What the options left over, and what followed "--". An error if it begins
// with what looks like an option of ours.
Result<std::vector<std::string>> CommandFrom(const CLI::App& verb,
                                             const Context& context);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_COMMAND_WORDS_H_
