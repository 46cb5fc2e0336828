#include "controls/launch_child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "controls/affinity.h"
#include "controls/policy.h"
#include "controls/small_file.h"

namespace edgewise::guardian {
namespace {

constexpr int kNotRun = 127;

int g_status_fd = -1;

[[noreturn]] void Fail(Stage stage, int error) {
  const ChildStatus status{0, stage, error};
  if (write(g_status_fd, &status, sizeof(status)) < 0) {
    // Nobody listens any more; the exit code is all that is left to say.
  }
  _exit(kNotRun);
}

// A launch request in memory; takes strings off one by one.
class Request {
 public:
  explicit Request(int fd) {
    struct stat status {};
    if (!ReadRequestHead(fd, &head_) || fstat(fd, &status) != 0) {
      Fail(Stage::kRequest, EBADMSG);
    }
    const auto size = static_cast<size_t>(status.st_size);
    void* map = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED) {
      Fail(Stage::kRequest, errno);
    }
    at_ = static_cast<char*>(map) + sizeof(head_);
    end_ = static_cast<char*>(map) + size;
  }

  const RequestHead& head() const { return head_; }

  const int32_t* TakeCpus() {
    const size_t bytes = head_.cpus * sizeof(int32_t);
    if (bytes > static_cast<size_t>(end_ - at_)) {
      Fail(Stage::kRequest, EBADMSG);
    }
    const auto* cpus = reinterpret_cast<const int32_t*>(at_);
    at_ += bytes;
    return cpus;
  }

  char* TakeString() {
    char* text = at_;
    auto* zero =
        static_cast<char*>(memchr(at_, 0, static_cast<size_t>(end_ - at_)));
    if (zero == nullptr) {
      Fail(Stage::kRequest, EBADMSG);
    }
    at_ = zero + 1;
    return text;
  }

  // Fills `list` with `count` strings and a null.
  void TakeList(char** list, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      list[i] = TakeString();
    }
    list[count] = nullptr;
  }

 private:
  RequestHead head_{};
  char* at_ = nullptr;
  char* end_ = nullptr;
};

void EnterCgroup(const char* folder) {
  const int error =
      WriteExisting(FixedPath(folder, "cgroup.procs").c_str(), "0");
  if (error != 0) {
    Fail(Stage::kCgroup, error);
  }
}

// A shell runs what the kernel does not know, if it is text: as execvp does,
// but without handing it programs of another architecture.
bool LooksLikeScript(const char* path) {
  char start[256];
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  const ssize_t got = read(fd, start, sizeof(start));
  close(fd);
  for (ssize_t i = 0; i < got && start[i] != '\n'; ++i) {
    if (start[i] == 0) {
      return false;
    }
  }
  return got >= 0;
}

// `arguments[-1]` is free for the shell.
void TryExec(const char* path, char** arguments, char** environment) {
  execve(path, arguments, environment);
  if (errno != ENOEXEC || !LooksLikeScript(path)) {
    return;
  }
  static char shell[] = "/bin/sh";
  char* const name = arguments[0];
  arguments[-1] = shell;
  arguments[0] = const_cast<char*>(path);
  execve(shell, arguments - 1, environment);
  arguments[0] = name;
  errno = ENOEXEC;
}

const char* SearchPath(char** environment) {
  for (; *environment != nullptr; ++environment) {
    if (strncmp(*environment, "PATH=", 5) == 0) {
      return *environment + 5;
    }
  }
  return "/bin:/usr/bin";
}

// As execvpe, except that a script without "#!" must be text.
[[noreturn]] void Exec(char** arguments, char** environment) {
  const char* name = arguments[0];
  if (*name == 0) {
    Fail(Stage::kExec, ENOENT);
  }
  if (strchr(name, '/') != nullptr) {
    TryExec(name, arguments, environment);
    Fail(Stage::kExec, errno);
  }
  bool refused = false;
  for (const char* path = SearchPath(environment);; ++path) {
    const char* end = strchrnul(path, ':');
    char folder[PATH_MAX];
    const auto length = static_cast<size_t>(end - path);
    if (length < sizeof(folder)) {
      memcpy(folder, path, length);
      folder[length] = 0;
      FixedPath file;
      if (length > 0) {
        file.Append(folder).Append("/");
      }
      file.Append(name);
      TryExec(file.c_str(), arguments, environment);
      if (errno == EACCES) {
        refused = true;
      } else if (errno != ENOENT && errno != ENOTDIR && errno != ESTALE &&
                 errno != ENODEV && errno != ETIMEDOUT) {
        Fail(Stage::kExec, errno);
      }
    }
    path = end;
    if (*path == 0) {
      break;
    }
  }
  Fail(Stage::kExec, refused ? EACCES : ENOENT);
}

void ApplySettings(Request* request) {
  const RequestHead& head = request->head();
  const int32_t* cpus = request->TakeCpus();
  for (uint32_t i = 0; i < head.cgroups; ++i) {
    EnterCgroup(request->TakeString());
  }
  if (head.cpus > 0) {
    if (const int error = SetAffinity(0, cpus, head.cpus); error != 0) {
      Fail(Stage::kAffinity, error);
    }
  }
  if (head.has_nice && setpriority(PRIO_PROCESS, 0, head.nice) != 0) {
    Fail(Stage::kNice, errno);
  }
  if (head.has_policy) {
    if (const int error = SetPolicy(0, head.policy, head.priority);
        error != 0) {
      Fail(Stage::kPolicy, error);
    }
  }
}

// Every signal as in a fresh process, but held back: one that is sent before
// the program runs must end it, not get lost.
void HoldSignals() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    sigaction(signal, &action, nullptr);
  }
}

void LetSignalsIn() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

bool ReadRequestHead(int request_fd, RequestHead* head) {
  struct stat status {};
  if (fstat(request_fd, &status) != 0 ||
      pread(request_fd, head, sizeof(*head), 0) !=
          static_cast<ssize_t>(sizeof(*head))) {
    return false;
  }
  // Every string takes at least its zero, so counts cannot exceed the size.
  const auto size = static_cast<uint64_t>(status.st_size);
  return size <= kMaxRequestBytes && head->arguments > 0 &&
         head->arguments <= size && head->environment <= size &&
         head->cgroups <= size && head->cpus <= size;
}

[[noreturn]] void BecomeProgram(const int (&fds)[kLaunchFds], int status_fd,
                                int release_fd) {
  g_status_fd = status_fd;
  // Only the guardian itself may hold these: their closing tells of its death.
  close(kCommandFd);
  close(kEventFd);
  HoldSignals();
  setpgid(0, 0);

  Request request(fds[kRequest]);
  ApplySettings(&request);

  const RequestHead& head = request.head();
  const size_t slots = size_t{head.arguments} + head.environment + 3;
  void* memory = mmap(nullptr, slots * sizeof(char*), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    Fail(Stage::kRequest, errno);
  }
  char** arguments = static_cast<char**>(memory) + 1;
  char** environment = arguments + head.arguments + 1;
  request.TakeList(arguments, head.arguments);
  request.TakeList(environment, head.environment);
  if (const char* folder = request.TakeString();
      *folder != 0 && chdir(folder) != 0) {
    Fail(Stage::kChdir, errno);
  }
  for (int i = 0; i < 3; ++i) {
    if (fds[kStdin + i] >= 0 && dup2(fds[kStdin + i], i) < 0) {
      Fail(Stage::kRequest, errno);
    }
  }

  const ChildStatus ready{1, Stage::kExec, 0};
  char released = 0;
  if (write(status_fd, &ready, sizeof(ready)) != sizeof(ready) ||
      read(release_fd, &released, 1) != 1) {
    _exit(kNotRun);
  }
  if (fds[kTerminal] >= 0) {
    tcsetpgrp(fds[kTerminal], getpid());  // SIGTTOU is held back until below
  }
  LetSignalsIn();
  Exec(arguments, environment);
}

}  // namespace edgewise::guardian
