#include "execution/job_starter.h"

#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "edgewise/edgewise.h"

namespace edgewise {
namespace {

constexpr std::string_view kAbort = "abort";
constexpr int kCannotStart = 126;
constexpr int kNotThere = 127;

int64_t CpuNsOf(const rusage& usage) {
  const auto ns = [](const timeval& time) {
    return time.tv_sec * kNsPerSecond + time.tv_usec * 1000;
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

// Waits until the process is over or a time has come.
bool OverBefore(const UniqueFd& process, int64_t until_ns) {
  pollfd wait{process.get(), POLLIN, 0};
  for (;;) {
    const int64_t left_ns = std::max<int64_t>(0, until_ns - MonotonicNs());
    const timespec timeout{left_ns / kNsPerSecond, left_ns % kNsPerSecond};
    const int ready = ::ppoll(&wait, 1, &timeout, nullptr);
    if (ready >= 0 || errno != EINTR) {
      return ready > 0;
    }
  }
}

struct JobEnd {
  int status = 0;  // as from waitpid
  rusage usage{};
};

// One job: the program from its start to its end. With `abort_at_ns` it is
// killed then.
std::optional<JobEnd> RunOnce(char* const* arguments,
                              std::optional<int64_t> abort_at_ns) {
  pid_t pid = 0;
  errno =
      ::posix_spawnp(&pid, arguments[0], nullptr, nullptr, arguments, environ);
  if (errno != 0) {
    return std::nullopt;
  }
  if (abort_at_ns) {
    const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (process.valid() && !OverBefore(process, *abort_at_ns)) {
      ::kill(pid, SIGKILL);
    }
  }
  JobEnd end;
  while (::wait4(pid, &end.status, 0, &end.usage) < 0 && errno == EINTR) {
  }
  return end;
}

void Complain(const std::string& text) {
  (void)WriteAll(STDERR_FILENO, "edgewise: " + text + "\n");
}

}  // namespace

std::vector<std::string> JobStarterCommand(const PlannedTask& task) {
  std::error_code ignored;
  std::vector<std::string> command{
      std::filesystem::read_symlink("/proc/self/exe", ignored).string(),
      kJobStarterWord,
      task.on_miss == MissPolicy::kAbort ? std::string(kAbort) : "finish",
      task.name};
  command.insert(command.end(), task.command.begin(), task.command.end());
  return command;
}

int RunJobStarter(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3 || edgewise_claim_releases() != 1) {
    Complain("nobody releases jobs here; use edgewise exec PLAN");
    return 2;
  }
  const bool aborts = arguments[0] == kAbort;
  const edgewise_name name = edgewise_intern(arguments[1].c_str());
  std::vector<char*> words;
  for (size_t i = 2; i < arguments.size(); ++i) {
    words.push_back(const_cast<char*>(arguments[i].c_str()));
  }
  words.push_back(nullptr);
  // The program is no task itself.
  ::unsetenv("EDGEWISE_RELEASES");
  for (;;) {
    uint64_t release_ns = 0;
    uint64_t deadline_ns = 0;
    const int answer = edgewise_next_release(&release_ns, &deadline_ns);
    if (answer == -2) {
      continue;
    }
    if (answer != 1) {
      return 0;
    }
    const uint64_t start_ns = edgewise_now_ns();
    const auto end = RunOnce(
        words.data(), aborts ? std::optional(static_cast<int64_t>(deadline_ns))
                             : std::nullopt);
    if (!end) {
      const int code = errno == ENOENT ? kNotThere : kCannotStart;
      Complain("cannot start " + arguments[2] + ": " + ErrnoText());
      return code;
    }
    const uint64_t end_ns = edgewise_now_ns();
    const auto cpu_ns = static_cast<uint64_t>(CpuNsOf(end->usage));
    edgewise_job(name, release_ns, start_ns, end_ns, deadline_ns, cpu_ns);
    edgewise_release_done(end_ns, cpu_ns);
    if (WIFEXITED(end->status) && WEXITSTATUS(end->status) != 0) {
      Complain(arguments[2] + " ended with code " +
               std::to_string(WEXITSTATUS(end->status)));
      return WEXITSTATUS(end->status);
    }
    if (WIFSIGNALED(end->status) && !aborts) {
      Complain(arguments[2] + " was killed by signal " +
               std::to_string(WTERMSIG(end->status)));
      return 128 + WTERMSIG(end->status);
    }
  }
}

}  // namespace edgewise
