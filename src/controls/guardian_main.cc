// The guardian program: see guardian.h for what it is for.
//
// One loop over the command socket, SIGCHLD, the launching child's status pipe
// and the session's pidfd. It must stay tiny (no C++ library, no stdio): the
// programs it forks start with its memory as their peak.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "controls/cgroup_end.h"
#include "controls/guardian_protocol.h"
#include "controls/launch_child.h"
#include "controls/process_tree.h"
#include "controls/small_file.h"

namespace edgewise::guardian {
namespace {

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

constexpr int kMaxCgroups = 16;
constexpr int64_t kRemoveNs = 3'000'000'000;

// The program being launched or running.
struct Launch {
  pid_t pid = 0;
  bool running = false;      // not yet waited for
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
Command g_command;
FixedPath g_journal;
FixedPath g_scratch;
FixedPath g_cgroups[kMaxCgroups];
int g_cgroup_count = 0;
Usage g_usage;
int64_t g_killed = 0;
bool g_ending = false;
ProcessTable g_table;
ProcessTable g_baseline;  // leftovers of earlier launches
ProcessTable g_signalled;

void CloseFd(int* fd) {
  if (*fd >= 0) {
    close(*fd);
    *fd = -1;
  }
}

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

void SendEvent(const Event& event) {
  send(kEventFd, &event, sizeof(event), MSG_NOSIGNAL);
}

Usage FromRusage(const rusage& used) {
  const auto us = [](const timeval& time) {
    return int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
  };
  return {us(used.ru_utime), us(used.ru_stime), used.ru_maxrss * 1024,
          used.ru_minflt,    used.ru_majflt,    used.ru_nvcsw,
          used.ru_nivcsw};
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

// The child said something, or became the program and thereby closed the pipe.
// False when there is nothing more to read now.
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
    SendOutcome(0, g_launch.pid);
    g_launch.reply_due = false;
  } else {
    g_launch.failure = status;
  }
  return true;
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
    if (g_ending && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
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

// Returns 0 if the reply follows when the child is ready, else errno.
int StartLaunch(const int (&fds)[kLaunchFds]) {
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

int SignalTree(int signal) {
  if (signal == SIGKILL && g_launch.counted) {
    for (int i = 0; i < g_cgroup_count; ++i) {
      KillCgroupAtOnce(g_cgroups[i].c_str());
    }
  }
  return SignalOnceEach(&g_table, &g_signalled, signal,
                        [](ProcessTable* table) {
                          table->MarkDescendants(getpid(), &g_baseline);
                        });
}

int64_t OwnPeakBytes() {
  // Not from getrusage: that includes the session, from which this was forked.
  char text[2048];
  if (!ReadSmallFile("/proc/self/status", text, sizeof(text))) {
    return 0;
  }
  const char* line = strstr(text, "VmHWM:");
  if (line == nullptr) {
    return 0;
  }
  line += strcspn(line, "0123456789");
  return ReadNumber(line) * 1024;
}

// Kills what is left, removes what was made, and reports if somebody listens.
[[noreturn]] void End() {
  g_ending = true;
  // A fork bomb leaves little processor time to others.
  setpriority(PRIO_PROCESS, 0, -20);
  const int64_t deadline_ns = NowNs() + kKillNs;
  Reply reply{};
  for (int i = 0; i < g_cgroup_count; ++i) {
    EmptyCgroup(g_cgroups[i].c_str(), deadline_ns);
  }
  const pid_t self = getpid();
  reply.stuck = KillUntilGone(
      &g_table, deadline_ns,
      [self](ProcessTable* table) { table->MarkDescendants(self); }, Reap);
  Reap();
  const auto note = [&reply](int error) {
    if (reply.left == 0) {
      reply.left = error;
    }
  };
  for (int i = g_cgroup_count - 1; i >= 0; --i) {
    note(RemoveCgroup(g_cgroups[i].c_str(), NowNs() + kRemoveNs));
  }
  if (g_scratch.size() > 0) {
    note(RemoveTree(g_scratch.c_str()));
  }
  // The journal stays if something is left: the next sweep tries again.
  if (g_journal.size() > 0 && reply.stuck == 0 && reply.left == 0) {
    unlink(FixedPath(g_journal).Append(".tmp").c_str());
    unlink(g_journal.c_str());
  }
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  const Usage own_usage = FromRusage(own);
  reply.killed = g_killed;
  reply.tree = g_usage;
  reply.own_cpu_us = own_usage.user_us + own_usage.system_us;
  reply.own_max_rss_bytes = OwnPeakBytes();
  SendReply(reply);
  _exit(0);
}

int HandleCommand(const int (&fds)[kLaunchFds], bool only_note) {
  switch (g_command.kind) {
    case Kind::kJournal:
      g_journal = FixedPath(g_command.text);
      return 0;
    case Kind::kScratch:
      g_scratch = FixedPath(g_command.text);
      return 0;
    case Kind::kCgroup:
      if (g_cgroup_count == kMaxCgroups) {
        return E2BIG;
      }
      g_cgroups[g_cgroup_count++] = FixedPath(g_command.text);
      return 0;
    case Kind::kLaunch:
      return only_note ? EPIPE : StartLaunch(fds);
    case Kind::kRelease:
      if (g_launch.release_fd >= 0) {
        if (write(g_launch.release_fd, "r", 1) < 0) {
          // The child died while it was held; its end is told as an event.
        }
        CloseFd(&g_launch.release_fd);
      }
      return 0;
    case Kind::kSignal:
    case Kind::kEnd:
      return 0;
  }
  return EINVAL;
}

// Takes one command; false when the session has hung up or, with `only_note`
// (the session is dead, but what it announced must still be heard), nothing is
// left to read.
bool TakeCommand(bool only_note) {
  int fds[kLaunchFds] = {-1, -1, -1, -1, -1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(fds))] = {};
  iovec part{&g_command, sizeof(g_command) - 1};
  memset(&g_command, 0, sizeof(g_command));
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  const ssize_t got = recvmsg(
      kCommandFd, &message, MSG_CMSG_CLOEXEC | (only_note ? MSG_DONTWAIT : 0));
  if (got < 0 && errno == EINTR) {
    return true;
  }
  if (got < static_cast<ssize_t>(offsetof(Command, text))) {
    return false;
  }
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    const auto* next = reinterpret_cast<const int*>(CMSG_DATA(header));
    size_t left = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (int i = 0; i < kLaunchFds && left > 0; ++i) {
      if (g_command.number & (1 << i)) {
        fds[i] = *next++;
        --left;
      }
    }
  }
  if (g_command.kind == Kind::kEnd) {
    End();
  }
  const int error = HandleCommand(fds, only_note);
  const bool reply_later = g_command.kind == Kind::kLaunch && error == 0;
  if (!reply_later) {
    SendOutcome(error, g_command.kind == Kind::kSignal
                           ? SignalTree(g_command.number)
                           : 0);
  }
  for (int& fd : fds) {
    CloseFd(&fd);
  }
  return true;
}

[[noreturn]] void Run() {
  prctl(PR_SET_NAME, "edgewise-guardi");  // ps shows at most 15 characters
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_SETMASK, &child, nullptr);
  const int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  // The socket tells of the session's end too, unless a process that it forked
  // holds a copy. -1 on kernels before 5.3, which poll ignores.
  const int session = static_cast<int>(syscall(SYS_pidfd_open, getppid(), 0));
  if (session >= 0) {
    fcntl(session, F_SETFD, FD_CLOEXEC);
  }
  while (true) {
    pollfd fds[] = {{kCommandFd, POLLIN, 0},
                    {signals, POLLIN, 0},
                    {g_launch.status_fd, POLLIN, 0},
                    {session, POLLIN, 0}};
    if (poll(fds, 4, -1) < 0) {
      continue;
    }
    if (fds[1].revents != 0) {
      signalfd_siginfo ignored;
      while (read(signals, &ignored, sizeof(ignored)) > 0) {
      }
      Reap();
    }
    if (fds[2].revents != 0) {
      ReadChildStatus();
    }
    if (fds[3].revents != 0) {
      while (TakeCommand(/*only_note=*/true)) {
      }
      End();
    }
    if (fds[0].revents != 0 && !TakeCommand(/*only_note=*/false)) {
      End();
    }
  }
}

}  // namespace
}  // namespace edgewise::guardian

int main() { edgewise::guardian::Run(); }
