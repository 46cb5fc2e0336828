#include "controls/guardian_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "controls/guardian_protocol.h"

// The program's bytes between two symbols; the build gives its path.
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    ".global edgewise_guardian_begin\n"
    "edgewise_guardian_begin:\n"
    ".incbin \"" EDGEWISE_GUARDIAN_PATH
    "\"\n"
    ".global edgewise_guardian_end\n"
    "edgewise_guardian_end:\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const char edgewise_guardian_begin[];
extern "C" const char edgewise_guardian_end[];

namespace edgewise {
namespace {

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

std::span<const char> Image() {
  return {edgewise_guardian_begin, edgewise_guardian_end};
}

bool WriteImage(int fd) {
  std::span<const char> rest = Image();
  while (!rest.empty()) {
    const ssize_t put = write(fd, rest.data(), rest.size());
    if (put < 0 && errno != EINTR) {
      return false;
    }
    rest = rest.subspan(static_cast<size_t>(std::max<ssize_t>(put, 0)));
  }
  return true;
}

UniqueFd InMemory() {
  constexpr char kName[] = "edgewise-guardian";
  UniqueFd fd(memfd_create(kName, MFD_CLOEXEC | MFD_EXEC));
  if (!fd.valid()) {
    fd.reset(memfd_create(kName, MFD_CLOEXEC));  // before Linux 6.3
  }
  if (!fd.valid() || !WriteImage(fd.get())) {
    return UniqueFd();
  }
  return fd;
}

// A file without a name, so that none can be left behind.
UniqueFd InFolder(const std::filesystem::path& folder) {
  const UniqueFd writer(
      open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0700));
  if (!writer.valid() || !WriteImage(writer.get())) {
    return UniqueFd();
  }
  // What is open for writing cannot be run.
  const std::string again = "/proc/self/fd/" + std::to_string(writer.get());
  return UniqueFd(open(again.c_str(), O_RDONLY | O_CLOEXEC));
}

// Runs in the child of a fork, with all signals blocked: only what POSIX
// allows there.
[[noreturn]] void BecomeGuardian(int image, int command, int event,
                                 int failure) {
  setpgid(0, 0);
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    sigaction(signal, &action, nullptr);
  }
  action.sa_handler = SIG_IGN;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP,
                           SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2, SIGALRM}) {
    sigaction(signal, &action, nullptr);
  }
  // First above all numbers that are wanted, then to their places.
  constexpr int kAbove = 16;
  const int moved_command = fcntl(command, F_DUPFD_CLOEXEC, kAbove);
  const int moved_event = fcntl(event, F_DUPFD_CLOEXEC, kAbove);
  const int moved_image = fcntl(image, F_DUPFD_CLOEXEC, kAbove);
  const int moved_failure = fcntl(failure, F_DUPFD_CLOEXEC, kAbove);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  constexpr int kImageFd = guardian::kEventFd + 1;
  constexpr int kFailureFd = guardian::kEventFd + 2;
  if (nothing >= 0 && dup2(nothing, 0) == 0 && dup2(nothing, 1) == 1 &&
      dup2(nothing, 2) == 2 && dup2(moved_command, guardian::kCommandFd) >= 0 &&
      dup2(moved_event, guardian::kEventFd) >= 0 &&
      dup3(moved_image, kImageFd, O_CLOEXEC) >= 0 &&
      dup3(moved_failure, kFailureFd, O_CLOEXEC) >= 0) {
    if (syscall(SYS_close_range, kFailureFd + 1, ~0U, 0) != 0) {
      const long limit = sysconf(_SC_OPEN_MAX);
      for (int fd = kFailureFd + 1; fd < limit; ++fd) {
        close(fd);
      }
    }
    static char name[] = "edgewise-guardian";
    char* const arguments[] = {name, nullptr};
    char* const environment[] = {nullptr};
    fexecve(kImageFd, arguments, environment);
  }
  const int error = errno;
  if (write(kFailureFd, &error, sizeof(error)) < 0) {
    // The parent sees the exit code instead.
  }
  _exit(127);
}

// Returns 0 or errno.
int TryStart(int image, GuardianProcess* started) {
  int commands[2];
  int events[2];
  int failures[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, commands) != 0) {
    return errno;
  }
  UniqueFd command(commands[0]);
  const UniqueFd command_end(commands[1]);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, events) != 0) {
    return errno;
  }
  UniqueFd event(events[0]);
  const UniqueFd event_end(events[1]);
  if (pipe2(failures, O_CLOEXEC) != 0) {
    return errno;
  }
  const UniqueFd failure(failures[0]);
  UniqueFd failure_end(failures[1]);

  // No handler of this process may run in the child.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork();
  if (pid == 0) {
    BecomeGuardian(image, command_end.get(), event_end.get(),
                   failure_end.get());
  }
  const int fork_error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) {
    return fork_error;
  }
  failure_end.reset();
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(failure.get(), &error, sizeof(error));
  } while (got < 0 && errno == EINTR);
  if (got != 0) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return got == static_cast<ssize_t>(sizeof(error)) ? error : EIO;
  }
  *started = GuardianProcess{pid, std::move(command), std::move(event)};
  return 0;
}

}  // namespace

Result<GuardianProcess> StartGuardianProgram(
    const std::filesystem::path& home) {
  const std::vector<std::function<UniqueFd()>> places = {
      InMemory, [&home] { return InFolder(home); },
      [] { return InFolder("/tmp"); }, [] { return InFolder("/dev/shm"); }};
  int error = 0;
  for (const auto& place : places) {
    errno = 0;
    const UniqueFd image = place();
    if (!image.valid()) {
      error = errno != 0 ? errno : error;
      continue;
    }
    GuardianProcess started;
    error = TryStart(image.get(), &started);
    if (error == 0) {
      return started;
    }
  }
  return Error{ErrorCodeFromErrno(error),
               "cannot start the guardian process: " + ErrnoText(error) +
                   "; make " + home.string() +
                   " a folder from which programs may run"};
}

}  // namespace edgewise
