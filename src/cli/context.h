// What every verb needs: where the store is, where to print, how it ended.
#ifndef EDGEWISE_CLI_CONTEXT_H_
#define EDGEWISE_CLI_CONTEXT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/table.h"
#include "store/store.h"

namespace edgewise::cli {

// Exit codes of every verb but `run`.
inline constexpr int kExitDone = 0;
inline constexpr int kExitNo = 1;           // the answer is "no"
inline constexpr int kExitUsage = 2;        // bad input
inline constexpr int kExitEnvironment = 3;  // the machine cannot do it
inline constexpr int kExitCancelled = 130;  // 128 + SIGINT, as a shell counts

struct Context {
  std::filesystem::path home;
  // The whole command line, without the program's name.
  std::vector<std::string> arguments;
  // What followed `--` on the command line.
  std::vector<std::string> command;
  // Set by the verb that ran.
  int exit_code = kExitDone;
};

// Prints "edgewise: MESSAGE" on stderr.
void PrintError(std::string_view message);
// Prints the error and returns the exit code that fits it.
int Fail(const Error& error);
// Writes all of `text` to stdout; a closed pipe is not an error.
void Print(std::string_view text);
// Set if something that was printed is lost, e.g. on a full disk.
std::optional<Error> StdoutError();
void PrintToStderr(std::string_view text);

// How text for stdout or stderr should look: colour only on a terminal (and
// not with NO_COLOR), as wide as the terminal.
TextStyle StyleFor(int fd);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_CONTEXT_H_
