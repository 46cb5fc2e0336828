// The in-app side of releases, in forked programs, against a ReleaseFile.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <edgewise/edgewise.hpp>
#include <functional>

#include "base/clock.h"
#include "execution/release_file.h"

namespace edgewise {
namespace {

constexpr int64_t kPatienceNs = 60 * kNsPerSecond;

class ReleasesTest : public testing::Test {
 protected:
  // Forks a program whose exit code is what `body` returns.
  void Fork(const std::function<int()>& body) {
    pid_ = ::fork();
    if (pid_ == 0) {
      ::setenv("EDGEWISE_RELEASES", variable_.c_str(), 1);
      ::setenv("EDGEWISE_SOCKET", "/nonexistent", 1);
      ::_exit(body());
    }
  }
  int ExitCode() {
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  template <typename Condition>
  void Await(Condition condition) {
    const int64_t give_up_ns = MonotonicNs() + kPatienceNs;
    while (!condition()) {
      const uint32_t seen = file_.doorbell();
      ASSERT_LT(MonotonicNs(), give_up_ns);
      file_.Wait(seen, MonotonicNs() + kNsPerMs);
    }
  }
  void Release(uint32_t job) { file_.Release(1, job, 1000 * job, 2000 * job); }

  ReleaseFile file_ = std::move(*ReleaseFile::Create(2));
  std::string variable_ = file_.VariableOf(1);
  pid_t pid_ = -1;
};

TEST_F(ReleasesTest, APeriodicRunsWhatIsReleasedUntilItIsStopped) {
  Fork([] {
    Periodic control("control", std::chrono::hours(1));
    int jobs = 0;
    while (const auto job = control.Next()) {
      ++jobs;
      if (job.release_ns() != 1000u * jobs ||
          job.deadline_ns() != 2000u * jobs) {
        return 100;
      }
    }
    return jobs;
  });
  Await([this] { return file_.ClaimedBy(1) == pid_; });
  EXPECT_EQ(file_.ClaimedBy(0), 0);
  for (uint32_t job = 1; job <= 3; ++job) {
    const int64_t before_ns = MonotonicNs();
    Release(job);
    Await([this, job] { return file_.Read(1).done == job; });
    const SlotNews news = file_.Read(1);
    EXPECT_EQ(news.started, job);
    EXPECT_GE(news.start_ns, before_ns);
    EXPECT_GE(news.end_ns, news.start_ns);
    EXPECT_GE(news.cpu_ns, 0);
  }
  file_.Stop(1);
  EXPECT_EQ(ExitCode(), 3);
}

TEST_F(ReleasesTest, OnlyTheFirstPeriodicOfAProcessIsDriven) {
  Fork([] {
    Periodic first("first", std::chrono::hours(1));
    Periodic second("second", std::chrono::nanoseconds(1));
    { const auto job = first.Next(); }
    { const auto job = second.Next(); }  // would wait for a release
    return 7;
  });
  Release(1);
  EXPECT_EQ(ExitCode(), 7);
  EXPECT_EQ(file_.Read(1).done, 1u);
}

TEST_F(ReleasesTest, AForkedChildOfADrivenProcessKeepsItsOwnTime) {
  Fork([] {
    Periodic control("control", std::chrono::nanoseconds(1));
    { const auto job = control.Next(); }
    const pid_t child = ::fork();
    if (child == 0) {
      { const auto job = control.Next(); }
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status == 0 ? 0 : 1;
  });
  Release(1);
  EXPECT_EQ(ExitCode(), 0);
  EXPECT_EQ(file_.Read(1).done, 1u);
}

TEST_F(ReleasesTest, ASecondProcessDoesNotTakeAClaimedSlot) {
  Fork([] { return edgewise_claim_releases(); });
  EXPECT_EQ(ExitCode(), 1);
  Fork([] { return edgewise_claim_releases(); });
  EXPECT_EQ(ExitCode(), 0);
}

TEST_F(ReleasesTest, AProgramWhoseExecutorIsGoneIsToldToEnd) {
  // Nobody will release or stop: only the missing file tells.
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t executor = ::fork();
  if (executor == 0) {
    auto file = ReleaseFile::Create(1);
    const std::string variable = file->VariableOf(0);
    ASSERT_EQ(::write(ends[1], variable.data(), variable.size()),
              static_cast<ssize_t>(variable.size()));
    ::pause();
  }
  char text[256] = {};
  ASSERT_GT(::read(ends[0], text, sizeof(text) - 1), 0);
  variable_ = text;
  int claimed[2];
  ASSERT_EQ(::pipe(claimed), 0);
  Fork([&claimed] {
    const char byte = static_cast<char>('0' + edgewise_claim_releases());
    (void)!::write(claimed[1], &byte, 1);
    uint64_t release_ns = 0;
    uint64_t deadline_ns = 0;
    return edgewise_next_release(&release_ns, &deadline_ns) == -1 ? 5 : 6;
  });
  char byte = 0;
  ASSERT_EQ(::read(claimed[0], &byte, 1), 1);
  EXPECT_EQ(byte, '1');
  ::kill(executor, SIGKILL);
  ::waitpid(executor, nullptr, 0);
  EXPECT_EQ(ExitCode(), 5);
}

TEST_F(ReleasesTest, ASignalInterruptsTheWait) {
  Fork([] {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(SIGUSR1, &action, nullptr);
    (void)edgewise_claim_releases();
    uint64_t release_ns = 0;
    uint64_t deadline_ns = 0;
    return edgewise_next_release(&release_ns, &deadline_ns) == -2 ? 8 : 9;
  });
  Await([this] { return file_.ClaimedBy(1) != 0; });
  // Until it is in the wait a signal has no effect.
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(pid_, &status, WNOHANG)) == 0) {
    ::kill(pid_, SIGUSR1);
    ::usleep(1000);
  }
  EXPECT_EQ(WEXITSTATUS(status), 8);
}

TEST_F(ReleasesTest, NonsenseInTheVariableMeansThatNobodyDrives) {
  const std::string good = variable_;
  for (const std::string& text :
       {std::string(), std::string("1"), std::string(":") + good,
        std::string("9:/etc/passwd"), std::string("1:/nonexistent"),
        "99" + good.substr(1), "-1" + good.substr(1), std::string("1:")}) {
    variable_ = text;
    Fork([] {
      uint64_t release_ns = 0;
      uint64_t deadline_ns = 0;
      return edgewise_claim_releases() * 2 +
             edgewise_next_release(&release_ns, &deadline_ns);
    });
    EXPECT_EQ(ExitCode(), 0) << text;
  }
}

}  // namespace
}  // namespace edgewise
