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
#include "controls/kept_values.h"
#include "controls/launched_program.h"
#include "controls/small_file.h"

namespace edgewise::guardian {
namespace {

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

constexpr int kMaxCgroups = 16;
constexpr int64_t kRemoveNs = 3'000'000'000;

Command g_command;
FixedPath g_journal;
FixedPath g_scratch;
FixedPath g_cgroups[kMaxCgroups];
int g_cgroup_count = 0;
int g_at_end = -1;  // the request of a program to run at the end

int SignalTree(int signal) {
  if (signal == SIGKILL && ProgramCounts()) {
    for (int i = 0; i < g_cgroup_count; ++i) {
      KillCgroupAtOnce(g_cgroups[i].c_str());
    }
  }
  return SignalProgram(signal);
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
  // A fork bomb leaves little processor time to others.
  setpriority(PRIO_PROCESS, 0, -20);
  Reply reply{};
  if (g_at_end >= 0) {
    AskProgramToEnd(NowNs() + kMakeWayNs);
    reply.left = RunLastProgram(g_at_end, NowNs() + kLastProgramNs);
  }
  const int64_t deadline_ns = NowNs() + kKillNs;
  for (int i = 0; i < g_cgroup_count; ++i) {
    EmptyCgroup(g_cgroups[i].c_str(), deadline_ns);
  }
  reply.stuck = KillDescendants(deadline_ns);
  const auto note = [&reply](int error) {
    if (reply.left == 0) {
      reply.left = error;
    }
  };
  note(PutValuesBack());
  note(RemoveNetems());
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
  reply.killed = Killed();
  reply.tree = TreeUsed();
  reply.own_cpu_us = own_usage.user_us + own_usage.system_us;
  reply.own_max_rss_bytes = OwnPeakBytes();
  SendReply(reply);
  _exit(0);
}

// Returns 0 or errno; `number` is what the reply says beside that.
int HandleCommand(const int (&fds)[kLaunchFds], bool only_note,
                  int32_t* number) {
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
    case Kind::kRestore:
      return KeepValue(g_command.text, number);
    case Kind::kNetem:
      return KeepNetem(g_command.number, g_command.text);
    case Kind::kAtEnd:
      if (g_at_end >= 0) {
        close(g_at_end);
      }
      g_at_end = fcntl(fds[kRequest], F_DUPFD_CLOEXEC, 5);
      return g_at_end >= 0 ? 0 : errno;
    case Kind::kLaunch:
      return only_note ? EPIPE : StartProgram(fds);
    case Kind::kRelease:
      ReleaseProgram();
      return 0;
    case Kind::kSignal:
      *number = SignalTree(g_command.number);
      return 0;
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
  int32_t number = 0;
  const int error = HandleCommand(fds, only_note, &number);
  const bool reply_later = g_command.kind == Kind::kLaunch && error == 0;
  if (!reply_later) {
    SendOutcome(error, number);
  }
  for (const int fd : fds) {
    if (fd >= 0) {
      close(fd);
    }
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
                    {ChildStatusFd(), POLLIN, 0},
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
