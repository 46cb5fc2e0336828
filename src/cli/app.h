// The command line: parses, calls the rooms, renders. No logic of its own.
#ifndef EDGEWISE_CLI_APP_H_
#define EDGEWISE_CLI_APP_H_

#include <memory>
#include <string>
#include <vector>

#include "cli/context.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

// The whole command line's definition. `context` must outlive it.
std::unique_ptr<CLI::App> DefineCommandLine(Context& context);

// Runs edgewise with these arguments; returns its exit code.
int Main(int argc, char** argv);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_APP_H_
