// What the tests of the guardian launch: programs that behave badly, and a
// small session that gets killed.
//
//   guarded_program daemonise PIDFILE   double fork and new session; the parent
//                                       ends, the daemon writes its pid, stays
//   guarded_program stubborn            ignores every signal it can
//   guarded_program fork-bomb N         forks over and over until N exist
//   guarded_program children N          N children that end at once
//   guarded_program burn MILLISECONDS   uses that much CPU time
//   guarded_program touch BYTES         touches that much memory
//   guarded_program environment-bytes   prints the size of its environment
//   guarded_program group               prints "PID GROUP"
//   guarded_program nice                prints its nice value
//   guarded_program signals             prints how many signals are blocked and
//                                       ignored
//   guarded_program session HOME ID CGROUPS SYSFS   a guardian with a program
//                                       that stays; prints "ready" and waits;
//                                       with SYSFS, cores held at 600 MHz
//   guarded_program netem HOME ID INTERFACE   a guardian that holds a netem
//                                       queue; prints "ready" and waits
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "controls/guardian.h"
#include "controls/remains.h"

extern char** environ;

namespace {

int Daemonise(const char* pid_file) {
  if (fork() != 0) {
    return 0;
  }
  setsid();
  if (fork() != 0) {
    _exit(0);
  }
  const std::string temporary = std::string(pid_file) + ".new";
  FILE* file = fopen(temporary.c_str(), "w");
  if (file == nullptr) {
    return 1;
  }
  fprintf(file, "%d\n", static_cast<int>(getpid()));
  fclose(file);
  if (rename(temporary.c_str(), pid_file) != 0) {
    return 1;
  }
  while (true) {
    pause();
  }
}

int Stubborn() {
  for (int signal = 1; signal < NSIG; ++signal) {
    ::signal(signal, SIG_IGN);
  }
  printf("ready\n");
  fflush(stdout);
  while (true) {
    pause();
  }
}

int ForkBomb(int limit) {
  // Shared by all: how many were ever made.
  auto* made =
      static_cast<int*>(mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  printf("ready\n");
  fflush(stdout);
  while (true) {
    if (__atomic_load_n(made, __ATOMIC_RELAXED) < limit &&
        __atomic_fetch_add(made, 1, __ATOMIC_RELAXED) < limit) {
      if (fork() == 0) {
        setsid();
      }
    } else {
      pause();
    }
  }
}

int Children(int count) {
  for (int i = 0; i < count; ++i) {
    if (fork() == 0) {
      _exit(0);
    }
  }
  while (wait(nullptr) > 0) {
  }
  return 0;
}

int Burn(int milliseconds) {
  timespec used{};
  do {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  } while (used.tv_sec * 1000 + used.tv_nsec / 1'000'000 < milliseconds);
  return 0;
}

int Touch(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return 1;
  }
  memset(memory, 1, bytes);
  return 0;
}

int EnvironmentBytes() {
  size_t bytes = 0;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bytes += strlen(*entry) + 1;
  }
  printf("%zu\n", bytes);
  return 0;
}

int Signals() {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  int blocked = 0;
  int ignored = 0;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    blocked += sigismember(&mask, signal) == 1 ? 1 : 0;
    ignored +=
        sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN
            ? 1
            : 0;
  }
  printf("blocked %d ignored %d\n", blocked, ignored);
  return 0;
}

int Session(const char* home, const char* id, bool cgroups,
            const std::string& sysfs_root) {
  auto guardian = edgewise::Guardian::Start(home, id);
  if (!guardian) {
    fprintf(stderr, "%s\n", guardian.error().message.c_str());
    return 1;
  }
  std::vector<std::string> refused;
  if (cgroups && !guardian->MakeCgroups({}, &refused)) {
    return 1;
  }
  if (!sysfs_root.empty()) {
    const auto plan = edgewise::PlanFrequency(600'000, {}, sysfs_root);
    if (!plan || !guardian->HoldFrequency(*plan)) {
      return 1;
    }
  }
  edgewise::LaunchRequest request;
  request.argv = {"/bin/sh", "-c", "sleep 1000 & sleep 1000"};
  request.env = {"PATH=/bin:/usr/bin",
                 std::string(edgewise::kRunIdVariable) + "=" + id};
  request.in_cgroup = cgroups;
  // The reader of our output must not wait for the program's end.
  request.stdout_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (!guardian->Launch(request) || !guardian->Release()) {
    return 1;
  }
  printf("ready\n");
  fflush(stdout);
  while (true) {
    pause();
  }
}

int Netem(const char* home, const char* id, const char* interface) {
  auto guardian = edgewise::Guardian::Start(home, id);
  edgewise::NetemValues values;
  values.delay_ns = 1'000'000;
  if (!guardian || !guardian->HoldNetem(interface, values)) {
    return 1;
  }
  printf("ready\n");
  fflush(stdout);
  while (true) {
    pause();
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  const char* first = count > 2 ? arguments[2] : "";
  if (what == "daemonise") {
    return Daemonise(first);
  }
  if (what == "stubborn") {
    return Stubborn();
  }
  if (what == "fork-bomb") {
    return ForkBomb(atoi(first));
  }
  if (what == "children") {
    return Children(atoi(first));
  }
  if (what == "burn") {
    return Burn(atoi(first));
  }
  if (what == "touch") {
    return Touch(strtoul(first, nullptr, 10));
  }
  if (what == "environment-bytes") {
    return EnvironmentBytes();
  }
  if (what == "group") {
    printf("%d %d\n", static_cast<int>(getpid()), static_cast<int>(getpgrp()));
    return 0;
  }
  if (what == "nice") {
    printf("%d\n", getpriority(PRIO_PROCESS, 0));
    return 0;
  }
  if (what == "signals") {
    return Signals();
  }
  if (what == "session" && count == 6) {
    return Session(first, arguments[3], strcmp(arguments[4], "yes") == 0,
                   arguments[5]);
  }
  if (what == "netem" && count == 5) {
    return Netem(first, arguments[3], arguments[4]);
  }
  fprintf(stderr, "guarded_program: unknown behaviour \"%s\"\n", what.c_str());
  return 2;
}
