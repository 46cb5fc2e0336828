#include "cli/context.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace edgewise::cli {
namespace {

// 0, or the errno of a failed write.
int WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0) {
      if (errno == EAGAIN) {
        pollfd wait{fd, POLLOUT, 0};
        ::poll(&wait, 1, -1);
        continue;
      }
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    text.remove_prefix(static_cast<size_t>(put));
  }
  return 0;
}

int g_stdout_error = 0;

}  // namespace

void PrintError(std::string_view message) {
  WriteAll(STDERR_FILENO, "edgewise: " + std::string(message) + "\n");
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
void PrintToStderr(std::string_view text) { WriteAll(STDERR_FILENO, text); }

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
