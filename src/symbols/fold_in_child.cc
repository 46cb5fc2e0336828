#include "symbols/fold_in_child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "base/clock.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "stacks/encode.h"

namespace edgewise::symbols {
namespace {

constexpr char kProfile = 'P';
constexpr char kFailure = 'F';

// The child: never returns.
[[noreturn]] void WorkAndExit(const std::function<std::string()>& work, int out,
                              pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(1);
  }
  // A crash here is expected and must neither run the parent's handlers nor
  // leave a core file behind.
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) {
    std::signal(number, SIG_DFL);
  }
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  (void)WriteFile("/proc/self/oom_score_adj", "1000");
  const std::string bytes = work();
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = ::write(out, rest.data(), rest.size());
    if (written > 0) {
      rest.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      ::_exit(1);
    }
  }
  ::_exit(0);
}

// Everything that comes out of `fd` until it is closed; nullopt if that takes
// longer than until `deadline_ns`.
std::optional<std::string> ReadUntil(int fd, int64_t deadline_ns) {
  std::string bytes;
  std::array<char, 65536> buffer;
  for (;;) {
    const int64_t left_ms = (deadline_ns - MonotonicNs()) / kNsPerMs;
    if (left_ms < 0) {
      return std::nullopt;
    }
    pollfd waiting{fd, POLLIN, 0};
    const int ready = ::poll(
        &waiting, 1, static_cast<int>(std::min<int64_t>(left_ms, 60'000)));
    if (ready <= 0) {
      if (left_ms == 0) {
        return std::nullopt;
      }
      continue;
    }
    const ssize_t size = ::read(fd, buffer.data(), buffer.size());
    if (size > 0) {
      bytes.append(buffer.data(), static_cast<size_t>(size));
    } else if (size == 0 || errno != EINTR) {
      return bytes;
    }
  }
}

int WaitFor(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Result<std::string> BytesFromChild(const std::function<std::string()>& work,
                                   std::chrono::milliseconds limit) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "no pipe for the process that unwinds stacks: " + ErrnoText()};
  }
  UniqueFd in(ends[0]);
  UniqueFd out(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    return Error{
        ErrorCodeFromErrno(errno),
        "the process that unwinds stacks could not start: " + ErrnoText()};
  }
  if (child == 0) {
    in.reset();
    WorkAndExit(work, out.get(), parent);
  }
  out.reset();
  std::optional<std::string> bytes =
      ReadUntil(in.get(), MonotonicNs() + int64_t{limit.count()} * kNsPerMs);
  if (!bytes) {
    ::kill(child, SIGKILL);
    WaitFor(child);
    return Error{ErrorCode::kBusy, "unwinding the stacks took longer than " +
                                       std::to_string(limit.count() / 1000) +
                                       " s and was given up."};
  }
  const int status = WaitFor(child);
  if (WIFSIGNALED(status)) {
    return Error{ErrorCode::kCorrupt,
                 std::string("unwinding the stacks crashed (") +
                     ::strsignal(WTERMSIG(status)) +
                     "), as it can on a program file that is damaged or was "
                     "cut short."};
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Error{ErrorCode::kIo,
                 "the process that unwinds stacks ended without a result."};
  }
  return std::move(*bytes);
}

Result<stacks::StackProfile> FoldSpoolInChild(stacks::SpoolReader& spool,
                                              const FoldOptions& options,
                                              std::chrono::milliseconds limit) {
  Result<std::string> bytes = BytesFromChild(
      [&] {
        const Result<stacks::StackProfile> profile = FoldSpool(spool, options);
        return profile ? kProfile + stacks::Encode(*profile)
                       : kFailure + profile.error().message;
      },
      limit);
  if (!bytes) {
    return bytes.error();
  }
  if (!bytes->starts_with(kProfile)) {
    return Error{ErrorCode::kIo,
                 bytes->empty()
                     ? "the process that unwinds stacks ended without a result."
                     : bytes->substr(1)};
  }
  return stacks::Decode(std::string_view(*bytes).substr(1));
}

}  // namespace edgewise::symbols
