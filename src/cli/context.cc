#include "cli/context.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/write_all.h"
#include "report/utf8.h"

namespace edgewise::cli {
namespace {

int g_stdout_error = 0;

}  // namespace

void PrintError(std::string_view message) {
  (void)WriteAll(STDERR_FILENO, "edgewise: " + Printable(message) + "\n");
}

int Fail(const Error& error) {
  PrintError(error.message);
  switch (error.code) {
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
      return kExitUsage;
    case ErrorCode::kPermission:
    case ErrorCode::kUnsupported:
    case ErrorCode::kBusy:
    case ErrorCode::kCorrupt:
    case ErrorCode::kIo:
      break;
  }
  return kExitEnvironment;
}

void Print(std::string_view text) {
  if (g_stdout_error == 0) {
    g_stdout_error = WriteAll(STDOUT_FILENO, text);
  }
}
std::optional<Error> StdoutError() {
  // A reader that goes away (`| head`) has what it wanted.
  if (g_stdout_error == 0 || g_stdout_error == EPIPE) {
    return std::nullopt;
  }
  return Error{ErrorCode::kIo,
               "cannot write to stdout: " + ErrnoText(g_stdout_error)};
}
void PrintToStderr(std::string_view text) {
  (void)WriteAll(STDERR_FILENO, text);
}

TextStyle StyleFor(int fd) {
  TextStyle style;
  const bool terminal = ::isatty(fd) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  style.color = terminal && (no_color == nullptr || *no_color == '\0');
  winsize size{};
  if (terminal && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
    style.width = size.ws_col;
  }
  return style;
}

}  // namespace edgewise::cli
