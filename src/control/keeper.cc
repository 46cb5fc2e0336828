#include "control/keeper.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "controls/applied_journal.h"
#include "execution/undo_applied.h"

namespace edgewise::control {
namespace {

// The journal is held until the kernel has taken the agent apart.
constexpr int kTries = 100;
constexpr useconds_t kBetweenTriesUs = 50'000;

[[noreturn]] void Keep(int life, const std::filesystem::path& home) {
  prctl(PR_SET_NAME, "edgewise-keeper");
  setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    ::signal(signal, SIG_IGN);
  }
  if (dup2(life, STDIN_FILENO) == STDIN_FILENO) {
    // Neither sockets nor terminals of the agent are held on to.
    close_range(STDOUT_FILENO, ~0U, 0);
    char byte;
    while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) {
    }
  }
  for (int i = 0; i < kTries; ++i) {
    if (!std::filesystem::exists(
            AppliedJournal::PathIn(home, AppliedBy::kAgent)) ||
        UndoApplied(home, AppliedBy::kAgent)) {
      break;
    }
    usleep(kBetweenTriesUs);
  }
  _exit(0);
}

}  // namespace

Result<Keeper> Keeper::Start(const std::filesystem::path& home) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot make a pipe: " + ErrnoText()};
  }
  UniqueFd there(ends[0]);
  UniqueFd here(ends[1]);
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(home, error);
  const pid_t pid = fork();
  if (pid < 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot start a process: " + ErrnoText()};
  }
  if (pid == 0) {
    here.reset();
    Keep(there.get(), absolute);
  }
  return Keeper(pid, std::move(here));
}

Keeper::~Keeper() {
  if (life_.valid()) {
    life_.reset();
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

}  // namespace edgewise::control
