// What it costs to watch a tree of 20 processes at 10 Hz, beside a psutil loop
// that reads the same figures of the same processes.
//
// Prints one line per figure: name, value, unit, bar, pass or fail, separated
// by tabs.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/clock.h"
#include "probes/process_tree.h"

namespace edgewise {
namespace {

constexpr int kProcesses = 20;
constexpr int kThreadsEach = 3;
constexpr double kHz = 10;
constexpr int kTicks = 60;

// Works for about 2% of the time, as a process of an edge application does
// between two frames.
void* WorkALittle(void*) {
  volatile unsigned sum = 0;
  while (true) {
    for (unsigned i = 0; i < 200'000; ++i) {
      sum = sum + i;
    }
    const timespec pause{0, 30'000'000};
    nanosleep(&pause, nullptr);
  }
  return nullptr;
}

// A process that does nothing but hold kProcesses working children, so that
// the tree is the same for both sides. Returns its pid.
pid_t StartTree() {
  const pid_t parent = fork();
  if (parent != 0) {
    return parent;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; i < kProcesses; ++i) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (int t = 1; t < kThreadsEach; ++t) {
        pthread_t thread{};
        pthread_create(&thread, nullptr, WorkALittle, nullptr);
      }
      WorkALittle(nullptr);
    }
  }
  while (true) {
    pause();
  }
}

void SleepUntil(int64_t monotonic_ns) {
  const timespec until{monotonic_ns / kNsPerSecond,
                       monotonic_ns % kNsPerSecond};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

double WatchTree(pid_t root) {
  ProcessTreeOptions options;
  options.roots = {root};
  options.include_roots = false;
  ProcessTree tree(options);
  tree.SampleAll(MonotonicNs());
  const int64_t start_cpu_ns = ProcessCpuNs();
  int64_t next_ns = MonotonicNs();
  for (int tick = 0; tick < kTicks; ++tick) {
    next_ns += static_cast<int64_t>(static_cast<double>(kNsPerSecond) / kHz);
    tree.Sample(MonotonicNs());
    SleepUntil(next_ns);
  }
  return static_cast<double>(ProcessCpuNs() - start_cpu_ns) /
         static_cast<double>(kNsPerSecond);
}

double WatchWithPsutil(pid_t root) {
  const std::string command = "/usr/bin/python3 " EDGEWISE_PSUTIL_LOOP " " +
                              std::to_string(root) + " " + std::to_string(kHz) +
                              " " + std::to_string(kTicks);
  FILE* const pipe = popen(command.c_str(), "re");
  char line[64] = "";
  const bool read =
      pipe != nullptr && fgets(line, sizeof line, pipe) != nullptr;
  const bool ended_well = pipe != nullptr && pclose(pipe) == 0;
  return read && ended_well ? std::strtod(line, nullptr) : -1;
}

int Main() {
  const pid_t root = StartTree();
  if (root < 0) {
    std::perror("fork");
    return 1;
  }
  SleepUntil(MonotonicNs() + kNsPerSecond / 2);
  const double ours_s = WatchTree(root);
  const double psutil_s = WatchWithPsutil(root);
  kill(root, SIGKILL);  // its children die with it
  waitpid(root, nullptr, 0);
  const double seconds = kTicks / kHz;
  const double percent = ours_s / seconds * 100;
  // A part of the whole profiler's cost, which has the bar.
  std::printf("process_tree_cpu\t%.3f\tpercent_of_a_core\t-\t-\n", percent);
  std::printf("process_tree_tick\t%.0f\tus\t-\t-\n", ours_s / kTicks * 1e6);
  if (psutil_s < 0) {
    std::fprintf(stderr, "the psutil loop failed (python3-psutil missing?)\n");
    return 1;
  }
  const double ratio = psutil_s / ours_s;
  std::printf("psutil_cpu_over_process_tree_cpu\t%.1f\tratio\t>=5\t%s\n", ratio,
              ratio >= 5 ? "pass" : "fail");
  return ratio >= 5 ? 0 : 1;
}

}  // namespace
}  // namespace edgewise

int main() { return edgewise::Main(); }
