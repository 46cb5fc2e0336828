#include "base/child_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/clock.h"
#include "base/unique_fd.h"

namespace edgewise {
namespace {

constexpr int kReportNumber = 3;
// Above all numbers that are wanted, so that none is overwritten.
constexpr int kAbove = 10;

std::vector<std::string> EnvironmentWith(
    const std::map<std::string, std::string>& changes) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) {
      entries.push_back(text);
    }
  }
  for (const auto& [name, value] : changes) {
    entries.push_back(name + "=" + value);
  }
  return entries;
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string EndText(int wait_status) {
  return WIFSIGNALED(wait_status)
             ? "killed by signal " + std::to_string(WTERMSIG(wait_status))
             : "exit code " + std::to_string(WEXITSTATUS(wait_status));
}

Result<ChildProgram> ChildProgram::Start(
    const std::vector<std::string>& command, const Descriptors& descriptors,
    const std::map<std::string, std::string>& environment) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  std::vector<UniqueFd> copies;
  const auto give = [&](int from, int to) {
    if (from >= 0) {
      copies.emplace_back(::fcntl(from, F_DUPFD_CLOEXEC, kAbove));
      posix_spawn_file_actions_adddup2(&actions, copies.back().get(), to);
    }
  };
  if (descriptors.input < 0) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
  }
  give(descriptors.input, STDIN_FILENO);
  give(descriptors.output, STDOUT_FILENO);
  give(descriptors.errors, STDERR_FILENO);
  give(descriptors.report, kReportNumber);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);  // ignored by edgewise
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words = command;
  std::vector<std::string> entries = EnvironmentWith(environment);
  pid_t pid = 0;
  const int error =
      ::posix_spawnp(&pid, words.front().c_str(), &actions, &attributes,
                     Pointers(words).data(), Pointers(entries).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    return Error{
        error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kPermission,
        "cannot start \"" + command.front() + "\": " + ErrnoText(error)};
  }
  return ChildProgram(pid);
}

std::optional<int> ChildProgram::Ended() {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    status_ = status;
  }
  return status_;
}

int ChildProgram::Wait() {
  int status = 0;
  while (!status_) {
    if (::waitpid(pid_, &status, 0) == pid_ || errno != EINTR) {
      status_ = status;
    }
  }
  return *status_;
}

void ChildProgram::Signal(int number) const {
  if (!status_) {
    ::kill(pid_, number);
  }
}

int ChildProgram::Stop(int64_t grace_ns) {
  if (!Ended()) {
    Signal(SIGTERM);
    const UniqueFd process(
        static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    pollfd wait{process.get(), POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(grace_ns / kNsPerMs)) <= 0) {
      Signal(SIGKILL);
    }
  }
  return Wait();
}

}  // namespace edgewise
