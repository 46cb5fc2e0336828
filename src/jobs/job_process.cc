#include "jobs/job_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/child_program.h"
#include "base/clock.h"

namespace edgewise {
namespace {

constexpr int64_t kGraceNs = 60 * kNsPerSecond;
constexpr int kLookEveryMs = 500;

// Hands over all that there is. False at the end of the output.
bool Drain(int fd, const std::function<void(std::string_view)>& output) {
  std::array<char, 16384> block{};
  while (true) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got > 0) {
      output({block.data(), static_cast<size_t>(got)});
    } else if (got < 0 && errno == EINTR) {
      continue;
    } else {
      return got < 0 && errno == EAGAIN;
    }
  }
}

int CodeOf(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status)
                                  : WEXITSTATUS(wait_status);
}

}  // namespace

bool BecomeJobProcess(int server_pid) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::dup2(STDOUT_FILENO, STDERR_FILENO);
  return ::getppid() == server_pid;
}

Result<int> RunJobProcess(const JobProcessPlan& plan, int stop,
                          const std::function<void(std::string_view)>& output) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    return Error{ErrorCode::kIo, "cannot make a pipe: " + ErrnoText()};
  }
  const UniqueFd out(ends[0]);
  UniqueFd in(ends[1]);
  // The job itself writes as any program does, waiting where it must.
  ::fcntl(in.get(), F_SETFL, ::fcntl(in.get(), F_GETFL) & ~O_NONBLOCK);
  ChildProgram::Descriptors descriptors;
  descriptors.output = in.get();
  auto child = ChildProgram::Start(
      {plan.program, kJobWord, std::to_string(::getpid()), "run", "--home",
       plan.home.string(), plan.app_file.string()},
      descriptors, {{"EDGEWISE_JOB", plan.job_id}});
  if (!child) {
    return child.error();
  }
  in = UniqueFd();
  const UniqueFd process(
      static_cast<int>(::syscall(SYS_pidfd_open, child->pid(), 0)));
  std::optional<int64_t> kill_at_ns;
  bool open = true;
  while (!child->Ended()) {
    std::array<pollfd, 3> waits{{{process.get(), POLLIN, 0},
                                 {open ? out.get() : -1, POLLIN, 0},
                                 {kill_at_ns ? -1 : stop, POLLIN, 0}}};
    (void)::poll(waits.data(), waits.size(), kLookEveryMs);
    if (waits[1].revents != 0) {
      open = Drain(out.get(), output);
    }
    if (waits[2].revents != 0 && !kill_at_ns) {
      child->Signal(SIGTERM);
      kill_at_ns = MonotonicNs() + kGraceNs;
    }
    if (kill_at_ns && MonotonicNs() > *kill_at_ns) {
      child->Signal(SIGKILL);
    }
  }
  if (open) {
    (void)Drain(out.get(), output);
  }
  return CodeOf(child->Wait());
}

}  // namespace edgewise
