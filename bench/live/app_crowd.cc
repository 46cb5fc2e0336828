// app_crowd APPS SPANS_PER_S SECONDS: so many processes with the in-app
// library, each with so many spans a second, a few at a time. Prints how many
// spans were recorded in all, and in how many seconds; spans before the agent
// was found are not counted.
#include <edgewise/edgewise.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

namespace {

struct Shared {
  std::atomic<int> ready{0};
  std::atomic<bool> go{false};
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> recorded{0};
};

double Now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) / 1e9;
}

void SleepUntil(double at) {
  timespec until{};
  until.tv_sec = static_cast<time_t>(at);
  until.tv_nsec =
      static_cast<long>((at - static_cast<double>(until.tv_sec)) * 1e9);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

[[noreturn]] void RunApp(int number, double spans_per_s, Shared& shared) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const uint32_t name = edgewise_intern("frame");
  while (edgewise_connect() != 1) {
    usleep(20000);
  }
  ++shared.ready;
  while (!shared.go) {
    usleep(10000);
  }
  // Many spans come some at a time: a wake-up for each would be the benchmark.
  const double per_wake = std::max(1.0, spans_per_s / 20);
  const double period = per_wake / spans_per_s;
  double next = Now() + period * (number % 97) / 97;
  uint64_t recorded = 0;
  while (!shared.stop) {
    SleepUntil(next);
    next += period;
    for (double i = 0; i < per_wake; ++i, ++recorded) {
      edgewise_span_record(name, static_cast<uint64_t>(next * 1e9),
                           1000000 + recorded % 977 * 1000,
                           EDGEWISE_NO_CPU_TIME, nullptr, 0);
    }
  }
  shared.recorded += recorded;
  // Stays connected: the agent reads what is in the ring.
  while (getppid() != 1) {
    pause();
  }
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: app_crowd APPS SPANS_PER_S SECONDS\n", stderr);
    return 2;
  }
  const int apps = std::atoi(argv[1]);
  const double spans_per_s = std::atof(argv[2]);
  const double seconds = std::atof(argv[3]);
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& shared = *new (memory) Shared;
  std::vector<pid_t> pids;
  for (int i = 0; i < apps; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      RunApp(i, spans_per_s, shared);
    }
    pids.push_back(pid);
  }
  while (shared.ready < apps) {
    usleep(10000);
  }
  std::puts("ready");
  std::fflush(stdout);
  // Whoever measures says when.
  (void)std::getchar();
  const double begin = Now();
  shared.go = true;
  SleepUntil(begin + seconds);
  shared.stop = true;
  const double end = Now();
  usleep(500000);
  std::printf("%llu %.6f\n", static_cast<unsigned long long>(shared.recorded),
              end - begin);
  std::fflush(stdout);
  (void)std::getchar();
  for (const pid_t pid : pids) {
    kill(pid, SIGKILL);
  }
  for (const pid_t pid : pids) {
    waitpid(pid, nullptr, 0);
  }
  return 0;
}
