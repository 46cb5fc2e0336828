// The frame of every sample app: command line in, one result or one sentence
// out. Exit codes: 0 done, 2 bad input, 3 this machine cannot do it.
#ifndef EDGEWISE_APPS_LOAD_PROGRAM_H_
#define EDGEWISE_APPS_LOAD_PROGRAM_H_

#include <functional>
#include <optional>

#include "base/result.h"
#include "load/options.h"
#include "load/outcome.h"

namespace CLI {
class App;
}

namespace edgewise::apps {

// Parses, checks, catches stop signals, calls `body` and prints what it hands
// back. `app` has the app's own flags already.
int RunProgram(int argc, char** argv, CLI::App& app, const LoadFlags& flags,
               const std::function<Result<Outcome>(const LoadOptions&)>& body);

// Only parses; nullopt if the program should go on, else its exit code.
std::optional<int> ParseCommandLine(int argc, char** argv, CLI::App& app);
// Prints the sentence "APP: MESSAGE." on stderr; the exit code that fits.
int Fail(const CLI::App& app, const Error& error);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_PROGRAM_H_
