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
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "stacks/difference.h"
#include "stacks/encode.h"

namespace edgewise::symbols {
namespace {

constexpr char kProfile = 'P';
constexpr char kFailure = 'F';
constexpr size_t kBytesForOneChild = size_t{128} << 20;
constexpr size_t kMostChildren = 4;

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
  if (WriteAll(out, bytes) != 0) {
    ::_exit(1);
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

ChildWork::~ChildWork() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    WaitFor(child_);
  }
}

Result<std::unique_ptr<ChildWork>> ChildWork::Start(
    const std::function<std::string()>& work) {
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
  return std::unique_ptr<ChildWork>(new ChildWork(child, std::move(in)));
}

Result<std::string> ChildWork::Finish(int64_t deadline_ns) {
  std::optional<std::string> bytes = ReadUntil(in_.get(), deadline_ns);
  if (!bytes) {
    return Error{ErrorCode::kBusy,
                 "unwinding the stacks took too long and was given up."};
  }
  const int status = WaitFor(std::exchange(child_, 0));
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
  const int64_t deadline_ns = MonotonicNs() + int64_t{limit.count()} * kNsPerMs;
  // Each child reads the programs' files anew: for few samples one is faster.
  const size_t parts =
      spool.bytes() < kBytesForOneChild
          ? 1
          : std::clamp<size_t>(std::thread::hardware_concurrency(), 1,
                               kMostChildren);
  std::vector<std::unique_ptr<ChildWork>> children;
  for (size_t part = 0; part < parts; ++part) {
    FoldOptions one = options;
    one.parts = parts;
    one.part = part;
    auto child = ChildWork::Start([&spool, one] {
      const Result<stacks::StackProfile> profile = FoldSpool(spool, one);
      return profile ? kProfile + stacks::Encode(*profile)
                     : kFailure + profile.error().message;
    });
    if (!child) {
      return child.error();
    }
    children.push_back(std::move(*child));
  }
  std::vector<stacks::StackProfile> profiles;
  for (const std::unique_ptr<ChildWork>& child : children) {
    const Result<std::string> bytes = child->Finish(deadline_ns);
    if (!bytes) {
      return bytes.error();
    }
    if (!bytes->starts_with(kProfile)) {
      return Error{
          ErrorCode::kIo,
          bytes->empty()
              ? "the process that unwinds stacks ended without a result."
              : bytes->substr(1)};
    }
    auto profile = stacks::Decode(std::string_view(*bytes).substr(1));
    if (!profile) {
      return profile.error();
    }
    profiles.push_back(std::move(*profile));
  }
  return profiles.size() == 1 ? std::move(profiles.front())
                              : stacks::MergedProfile(profiles);
}

}  // namespace edgewise::symbols
