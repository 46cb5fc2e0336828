// The process tree on the real /proc, with real children.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

#include "base/clock.h"
#include "probes/process_tree.h"
#include "probes/pss.h"

namespace edgewise {
namespace {

using ::testing::Contains;
using ::testing::Not;

// A child that runs `work` and then waits to be killed; ready when it says so.
class Child {
 public:
  template <typename Work>
  explicit Child(Work work) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    pid_ = fork();
    if (pid_ == 0) {
      work();
      const ssize_t put = write(ready[1], "r", 1);
      if (put != 1) {
        _exit(1);
      }
      while (true) {
        pause();
      }
    }
    close(ready[1]);
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
  }
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  // Ends it, and leaves it a zombie until Reap().
  void Kill() const {
    kill(pid_, SIGKILL);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  }
  rusage Reap() {
    rusage use{};
    wait4(pid_, nullptr, 0, &use);
    pid_ = -1;
    return use;
  }

 private:
  pid_t pid_ = -1;
};

int64_t CpuNs(const rusage& use) {
  const auto ns = [](const timeval& t) {
    return t.tv_sec * kNsPerSecond + t.tv_usec * 1000;
  };
  return ns(use.ru_utime) + ns(use.ru_stime);
}

void BurnCpu() {
  timespec now{};
  do {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  } while (now.tv_sec == 0 && now.tv_nsec < 50'000'000);
}

ProcessTree TreeOf(pid_t pid) {
  ProcessTreeOptions options;
  options.roots = {pid};
  return ProcessTree(options);
}

TEST(LiveTreeTest, CpuTimeIsThatOfRusage) {
  Child child(BurnCpu);
  ProcessTree tree = TreeOf(child.pid());
  tree.Sample(0);
  child.Kill();
  const TreeSample sample = tree.Sample(1);
  const int64_t rusage_ns = CpuNs(child.Reap());
  EXPECT_NEAR(static_cast<double>(sample.use.cpu_ns),
              static_cast<double>(rusage_ns), 1e6);
  EXPECT_EQ(sample.processes, 0);  // a zombie
  EXPECT_EQ(tree.Sample(2).use.cpu_ns, sample.use.cpu_ns);
}

TEST(LiveTreeTest, SwitchesAndFaultsAreThoseOfRusage) {
  Child child([] {
    for (int i = 0; i < 20; ++i) {
      const timespec pause{0, 100'000};
      nanosleep(&pause, nullptr);
    }
  });
  ProcessTree tree = TreeOf(child.pid());
  // The child says "ready" and goes to sleep for good some moments later.
  std::optional<int64_t> before;
  std::optional<int64_t> now;
  do {
    before = now;
    tree.SampleAll(0);
    now = tree.detail().sums.voluntary_switches;
  } while (before != now || !now);
  const TreeSample sample = tree.SampleAll(0);
  child.Kill();
  const rusage use = child.Reap();
  // Being killed may add one of each.
  EXPECT_NEAR(static_cast<double>(*tree.detail().sums.voluntary_switches),
              static_cast<double>(use.ru_nvcsw), 1);
  EXPECT_GE(*tree.detail().sums.voluntary_switches, 20);
  EXPECT_NEAR(static_cast<double>(sample.use.minor_faults),
              static_cast<double>(use.ru_minflt), 2);
}

TEST(LiveTreeTest, FindsGrandchildrenAndCountsThoseNeverSeen) {
  Child child([] {
    for (int i = 0; i < 3; ++i) {  // end before anybody looks
      const pid_t pid = fork();
      if (pid == 0) {
        BurnCpu();
        _exit(0);
      }
      waitpid(pid, nullptr, 0);
    }
    const pid_t parent = getpid();
    if (fork() == 0) {
      while (getppid() == parent) {
        const timespec pause{0, 1'000'000};
        nanosleep(&pause, nullptr);
      }
      _exit(0);
    }
  });
  ProcessTree tree = TreeOf(child.pid());
  const TreeSample sample = tree.Sample(0);
  EXPECT_EQ(sample.processes, 2);
  EXPECT_GE(sample.use.cpu_ns, 3 * 40'000'000);
}

TEST(LiveTreeTest, ResidentMemoryIsCounted) {
  constexpr size_t kBytes = size_t{32} << 20;
  Child child([] {
    volatile char* const memory = static_cast<char*>(std::malloc(kBytes));
    for (size_t i = 0; i < kBytes; i += 1024) {
      memory[i] = 1;
    }
  });
  ProcessTree tree = TreeOf(child.pid());
  const TreeSample sample = tree.SampleAll(0);
  EXPECT_GE(sample.rss_bytes, static_cast<int64_t>(kBytes));
  const auto peak = tree.detail().sums.largest_process_peak_bytes;
  ASSERT_TRUE(peak);
  EXPECT_GE(*peak, static_cast<int64_t>(kBytes));
  PssProbe pss;
  const auto bytes = pss.ReadBytes(tree.pids());
  ASSERT_TRUE(bytes) << pss.why_not();
  EXPECT_GE(*bytes, static_cast<int64_t>(kBytes));
  EXPECT_LE(*bytes, sample.rss_bytes);
}

TEST(LiveTreeTest, TheProfilerItselfIsNoMember) {
  ProcessTree tree = TreeOf(getppid());
  tree.Sample(0);
  EXPECT_THAT(tree.pids(), Contains(getppid()));
  EXPECT_THAT(tree.pids(), Not(Contains(getpid())));
}

TEST(LiveTreeTest, AProcessThatIsGoneFromTheStartIsNoTree) {
  pid_t pid = 0;
  {
    Child child([] {});
    pid = child.pid();
  }
  ProcessTree tree = TreeOf(pid);
  EXPECT_EQ(tree.Sample(0).processes, 0);
}

}  // namespace
}  // namespace edgewise
