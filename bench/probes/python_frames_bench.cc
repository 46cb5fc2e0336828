// What it costs to read the Python frames of a thread from outside, beside the
// least it could cost: one process_vm_readv of a few bytes.
//
// Prints one line per figure: name, value, unit, bar, pass or fail, separated
// by tabs.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "probes/python/interpreter.h"

namespace edgewise {
namespace {

constexpr int kRounds = 200;
constexpr int kReadsARound = 100;

// A Python program that waits `depth` calls deep, each of another function.
class WaitingPython {
 public:
  explicit WaitingPython(int depth) {
    std::string script = "import os\n";
    for (int i = 1; i < depth; ++i) {
      const std::string next = i + 1 < depth
                                   ? "f" + std::to_string(i + 1) + "()"
                                   : "os.write(1, b'r'); os.read(0, 1)";
      script += "def f" + std::to_string(i) + "(): " + next + "\n";
    }
    script += "f1()\n";
    int in[2];
    int out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
      return;
    }
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      dup2(in[0], 0);
      dup2(out[1], 1);
      execl("/usr/bin/python3", "python3", "-c", script.c_str(), nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    char ready = 0;
    ready_ = read(out[0], &ready, 1) == 1;
    close(out[0]);
    in_ = in[1];
  }
  ~WaitingPython() {
    close(in_);
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  WaitingPython(const WaitingPython&) = delete;
  WaitingPython& operator=(const WaitingPython&) = delete;

  bool ready() const { return ready_; }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int in_ = -1;
  bool ready_ = false;
};

// Median of rounds, in microseconds.
template <typename Work>
double MedianUs(Work work) {
  std::vector<double> rounds_us;
  for (int round = 0; round < kRounds; ++round) {
    const int64_t start_ns = MonotonicNs();
    for (int i = 0; i < kReadsARound; ++i) {
      work();
    }
    rounds_us.push_back(static_cast<double>(MonotonicNs() - start_ns) / 1e3 /
                        kReadsARound);
  }
  std::nth_element(rounds_us.begin(), rounds_us.begin() + kRounds / 2,
                   rounds_us.end());
  return rounds_us[kRounds / 2];
}

double BareReadUs(pid_t pid) {
  // Any readable address will do: the first mapping's.
  uint64_t address = 0;
  FILE* const maps =
      fopen(("/proc/" + std::to_string(pid) + "/maps").c_str(), "re");
  if (maps == nullptr || fscanf(maps, "%lx", &address) != 1) {
    return -1;
  }
  fclose(maps);
  uint64_t value = 0;
  bool failed = false;
  const double us = MedianUs([&] {
    const iovec local{&value, sizeof value};
    const iovec remote{reinterpret_cast<void*>(static_cast<uintptr_t>(address)),
                       sizeof value};
    failed |= process_vm_readv(pid, &local, 1, &remote, 1, 0) < 0;
  });
  return failed ? -1 : us;
}

// The time of one Read of a stack so deep; negative if it failed.
double ReadUs(const WaitingPython& python, size_t depth) {
  PythonCodes codes;
  auto process = PythonProcess::Attach(python.pid(), &codes);
  if (!process || !process->has_value()) {
    return -1;
  }
  bool failed = false;
  const double us = MedianUs([&] {
    const auto frames = (*process)->Read(python.pid());
    failed |= !frames || frames->size() != depth;
  });
  return failed ? -1 : us;
}

double AttachUs(pid_t pid) {
  PythonCodes codes;
  return MedianUs([&] {
    const auto process = PythonProcess::Attach(pid, &codes);
    static_cast<void>(process);
  });
}

int Main() {
  const WaitingPython shallow(3);
  const WaitingPython deep(30);
  if (!shallow.ready() || !deep.ready()) {
    std::fprintf(stderr, "/usr/bin/python3 did not start\n");
    return 1;
  }
  const double bare_us = BareReadUs(shallow.pid());
  const double shallow_us = ReadUs(shallow, 3);
  const double deep_us = ReadUs(deep, 30);
  if (bare_us < 0 || shallow_us < 0 || deep_us < 0) {
    std::fprintf(stderr, "the memory of the program could not be read\n");
    return 1;
  }
  std::printf("process_vm_readv\t%.2f\tus\t-\t-\n", bare_us);
  std::printf("python_frames_3_deep\t%.2f\tus\t<=10\t%s\n", shallow_us,
              shallow_us <= 10 ? "pass" : "fail");
  std::printf("python_frames_30_deep\t%.2f\tus\t<=30\t%s\n", deep_us,
              deep_us <= 30 ? "pass" : "fail");
  std::printf("python_frames_3_deep_over_process_vm_readv\t%.1f\tratio\t-\t-\n",
              shallow_us / bare_us);
  std::printf("python_attach\t%.0f\tus\t-\t-\n", AttachUs(shallow.pid()));
  return shallow_us <= 10 && deep_us <= 30 ? 0 : 1;
}

}  // namespace
}  // namespace edgewise

int main() { return edgewise::Main(); }
