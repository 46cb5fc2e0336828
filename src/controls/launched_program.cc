#include "controls/launched_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "controls/launch_child.h"
#include "controls/process_tree.h"
#include "controls/small_file.h"

namespace edgewise::guardian {
namespace {

// The program being launched or running.
struct Launch {
  pid_t pid = 0;
  bool running = false;      // not yet waited for
  int status = 0;            // as from waitpid, once it is not running
  bool reply_due = false;    // the session waits for the child to be ready
  bool tree_due = false;     // kTreeEmpty is still to be told
  bool counted = false;      // its tree is part of the usage
  int status_fd = -1;        // the child's words
  int release_fd = -1;       // a byte here lets it run
  int terminal_fd = -1;      // whose foreground it has
  pid_t terminal_owner = 0;  // to whom that returns
  ChildStatus failure{1, Stage::kExec, 0};
};

Launch g_launch;
Usage g_usage;
int64_t g_killed = 0;
bool g_killing = false;
ProcessTable g_table;
ProcessTable g_baseline;  // leftovers of earlier launches
ProcessTable g_signalled;

void CloseFd(int* fd) {
  if (*fd >= 0) {
    close(*fd);
    *fd = -1;
  }
}

void SendEvent(const Event& event) {
  send(kEventFd, &event, sizeof(event), MSG_NOSIGNAL);
}

void AddToTree(const Usage& used) {
  g_usage.user_us += used.user_us;
  g_usage.system_us += used.system_us;
  if (used.max_rss_bytes > g_usage.max_rss_bytes) {
    g_usage.max_rss_bytes = used.max_rss_bytes;
  }
  g_usage.minor_faults += used.minor_faults;
  g_usage.major_faults += used.major_faults;
  g_usage.voluntary_switches += used.voluntary_switches;
  g_usage.involuntary_switches += used.involuntary_switches;
}

void TakeTerminalBack() {
  if (g_launch.terminal_fd < 0) {
    return;
  }
  // Only from the program: a shell may have taken it in the meantime.
  if (tcgetpgrp(g_launch.terminal_fd) == g_launch.pid) {
    tcsetpgrp(g_launch.terminal_fd, g_launch.terminal_owner);
  }
  CloseFd(&g_launch.terminal_fd);
}

void MainEnded(int status, const Usage& used) {
  while (ReadChildStatus()) {
  }
  CloseFd(&g_launch.status_fd);
  CloseFd(&g_launch.release_fd);
  if (g_launch.reply_due) {
    SendOutcome(0, g_launch.pid);
    g_launch.reply_due = false;
  }
  TakeTerminalBack();
  g_launch.running = false;
  g_launch.status = status;
  Event event{};
  event.pid = g_launch.pid;
  event.status = status;
  event.usage = used;
  if (g_launch.failure.ready) {
    event.kind = Event::Kind::kExited;
    g_launch.tree_due = true;
    if (g_launch.counted) {
      AddToTree(used);
    }
  } else {
    event.kind = Event::Kind::kLaunchFailed;
    event.stage = g_launch.failure.stage;
    event.error = g_launch.failure.error;
  }
  SendEvent(event);
}

bool TreeIsEmpty() {
  if (g_baseline.empty()) {
    // Orphans come here, so no child means no descendant.
    siginfo_t info{};
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 &&
           errno == ECHILD;
  }
  g_table.Scan();
  g_table.MarkDescendants(getpid(), &g_baseline);
  return g_table.CountMarkedAlive() == 0;
}

void WaitForProgram(int64_t deadline_ns) {
  constexpr int kLookEveryMs = 5;
  Reap();
  while (g_launch.running && NowNs() < deadline_ns) {
    PauseMs(kLookEveryMs);
    Reap();
  }
}

}  // namespace

void SendReply(const Reply& reply) {
  // A session that is gone shows at the next poll.
  send(kCommandFd, &reply, sizeof(reply), MSG_NOSIGNAL);
}

void SendOutcome(int error, int number) {
  Reply reply{};
  reply.error = error;
  reply.number = number;
  SendReply(reply);
}

Usage FromRusage(const rusage& used) {
  const auto us = [](const timeval& time) {
    return int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
  };
  return {us(used.ru_utime), us(used.ru_stime), used.ru_maxrss * 1024,
          used.ru_minflt,    used.ru_majflt,    used.ru_nvcsw,
          used.ru_nivcsw};
}

int ChildStatusFd() { return g_launch.status_fd; }

bool ReadChildStatus() {
  ChildStatus status{};
  if (g_launch.status_fd < 0) {
    return false;
  }
  const ssize_t got = read(g_launch.status_fd, &status, sizeof(status));
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
    return false;
  }
  if (got != static_cast<ssize_t>(sizeof(status))) {
    CloseFd(&g_launch.status_fd);
    return false;
  }
  if (status.ready) {
    if (g_launch.reply_due) {
      SendOutcome(0, g_launch.pid);
    }
    g_launch.reply_due = false;
  } else {
    g_launch.failure = status;
  }
  return true;
}

void Reap() {
  int status = 0;
  rusage used{};
  pid_t pid = 0;
  while ((pid = wait4(-1, &status, WNOHANG | WUNTRACED, &used)) > 0) {
    if (WIFSTOPPED(status)) {
      // Ctrl-Z would leave the terminal with a stopped program and a session
      // that waits for it: programs being measured are not suspended.
      if (pid == g_launch.pid && g_launch.terminal_fd >= 0 &&
          WSTOPSIG(status) == SIGTSTP) {
        kill(-pid, SIGCONT);
      }
      continue;
    }
    if (g_killing && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
      ++g_killed;
    }
    const bool leftover = g_baseline.Forget(pid);
    if (g_launch.running && pid == g_launch.pid) {
      MainEnded(status, FromRusage(used));
    } else if (g_launch.counted && !leftover) {
      AddToTree(FromRusage(used));
    }
  }
  if (g_launch.tree_due && TreeIsEmpty()) {
    g_launch.tree_due = false;
    Event event{};
    event.kind = Event::Kind::kTreeEmpty;
    event.pid = g_launch.pid;
    SendEvent(event);
  }
}

int StartProgram(const int (&fds)[kLaunchFds]) {
  if (g_launch.running) {
    return EBUSY;
  }
  RequestHead head{};
  if (fds[kRequest] < 0 || !ReadRequestHead(fds[kRequest], &head)) {
    return EBADMSG;
  }
  int status_pipe[2];
  int release_pipe[2];
  if (pipe2(status_pipe, O_CLOEXEC) != 0) {
    return errno;
  }
  if (pipe2(release_pipe, O_CLOEXEC) != 0) {
    const int error = errno;
    close(status_pipe[0]);
    close(status_pipe[1]);
    return error;
  }
  g_baseline.Clear();
  if (!TreeIsEmpty()) {
    g_baseline.Scan();
    g_baseline.MarkDescendants(getpid());
    g_baseline.KeepMarked();
  }
  const pid_t pid = fork();
  if (pid == 0) {
    close(status_pipe[0]);
    close(release_pipe[1]);
    BecomeProgram(fds, status_pipe[1], release_pipe[0]);
  }
  const int error = errno;
  close(status_pipe[1]);
  close(release_pipe[0]);
  if (pid < 0) {
    close(status_pipe[0]);
    close(release_pipe[1]);
    return error;
  }
  setpgid(pid, pid);
  fcntl(status_pipe[0], F_SETFL, O_NONBLOCK);
  g_launch = Launch();
  g_launch.pid = pid;
  g_launch.running = true;
  g_launch.reply_due = true;
  g_launch.counted = head.counted != 0;
  g_launch.status_fd = status_pipe[0];
  g_launch.release_fd = release_pipe[1];
  if (fds[kTerminal] >= 0) {
    g_launch.terminal_fd = fcntl(fds[kTerminal], F_DUPFD_CLOEXEC, 5);
    g_launch.terminal_owner = tcgetpgrp(fds[kTerminal]);
  }
  return 0;
}

void ReleaseProgram() {
  if (g_launch.release_fd < 0) {
    return;
  }
  if (write(g_launch.release_fd, "r", 1) < 0) {
    // The child died while it was held; its end is told as an event.
  }
  CloseFd(&g_launch.release_fd);
}

int SignalProgram(int signal) {
  return SignalOnceEach(&g_table, &g_signalled, signal,
                        [](ProcessTable* table) {
                          table->MarkDescendants(getpid(), &g_baseline);
                        });
}

bool ProgramCounts() { return g_launch.counted; }

void AskProgramToEnd(int64_t deadline_ns) {
  if (g_launch.running) {
    kill(g_launch.pid, SIGTERM);
  }
  WaitForProgram(deadline_ns);
  if (g_launch.running) {
    // The last program could not run beside it.
    kill(g_launch.pid, SIGKILL);
    WaitForProgram(NowNs() + kMakeWayNs);
  }
}

int RunLastProgram(int request_fd, int64_t deadline_ns) {
  const int fds[kLaunchFds] = {request_fd, -1, -1, -1, -1};
  if (const int error = StartProgram(fds); error != 0) {
    return error;
  }
  g_launch.reply_due = false;
  ReleaseProgram();
  WaitForProgram(deadline_ns);
  if (g_launch.running) {
    return ETIMEDOUT;
  }
  return g_launch.status == 0 ? 0 : EIO;
}

int KillDescendants(int64_t deadline_ns) {
  g_killing = true;
  const int stuck = KillUntilGone(
      &g_table, deadline_ns,
      [](ProcessTable* table) { table->MarkDescendants(getpid()); }, Reap);
  Reap();
  return stuck;
}

const Usage& TreeUsed() { return g_usage; }
int64_t Killed() { return g_killed; }

}  // namespace edgewise::guardian
