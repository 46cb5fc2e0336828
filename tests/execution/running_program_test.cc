#include "execution/running_program.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RunningProgramTest, ACommandIsItsWordsAndItsFilesName) {
  EXPECT_TRUE(IsCommand({"./app", "-x", "1"}, {"./app", "-x", "1"}));
  EXPECT_TRUE(IsCommand({"/opt/app", "-x"}, {"app", "-x"}));
  EXPECT_TRUE(IsCommand({"./app"}, {"/opt/app"}));
  EXPECT_TRUE(IsCommand({"/bin/../bin/sh"}, {"/bin/sh"}));
  EXPECT_FALSE(IsCommand({"/opt/old/app"}, {"/opt/new/app"}));
  EXPECT_FALSE(IsCommand({"app", "-x"}, {"app", "-y"}));
  EXPECT_FALSE(IsCommand({"app", "-x"}, {"app"}));
  EXPECT_FALSE(IsCommand({"other"}, {"app"}));
  EXPECT_FALSE(IsCommand({}, {}));
}

// `sleep SECONDS`, ended with the test.
class Sleeper {
 public:
  explicit Sleeper(const std::string& seconds) {
    int ready[2];
    EXPECT_EQ(::pipe2(ready, O_CLOEXEC), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::execlp("sleep", "sleep", seconds.c_str(), nullptr);
      ::_exit(1);
    }
    // The pipe closes with the exec.
    ::close(ready[1]);
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 0);
    ::close(ready[0]);
  }
  ~Sleeper() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

TEST(RunningProgramTest, WhatRunsIsFoundByItsCommand) {
  const std::string seconds = std::to_string(100'000 + ::getpid());
  EXPECT_THAT(ProcessesRunning({"sleep", seconds}), IsEmpty());
  const Sleeper sleeper(seconds);
  EXPECT_THAT(ProcessesRunning({"sleep", seconds}), ElementsAre(sleeper.pid()));
  EXPECT_THAT(ProcessesRunning({"sleep", seconds, "1"}), IsEmpty());
  EXPECT_TRUE(StartTicks(sleeper.pid()));
}

TEST(RunningProgramTest, ThreadsOfDescendantsBelongToTheProgram) {
  const Sleeper child("100000");
  std::vector<pid_t> threads;
  std::thread([&] {
    for (const ProgramThread& thread : ThreadsOf(::getpid())) {
      threads.push_back(thread.thread);
    }
    EXPECT_THAT(threads, testing::Contains(::gettid()));
  }).join();
  EXPECT_THAT(threads, testing::Contains(::getpid()));
  EXPECT_THAT(threads, testing::Contains(child.pid()));
}

TEST(RunningProgramTest, WhatIsGoneHasNoThreads) {
  pid_t gone = 0;
  {
    const Sleeper sleeper("100000");
    gone = sleeper.pid();
  }
  EXPECT_FALSE(StartTicks(gone));
  EXPECT_TRUE(ThreadsOf(gone).empty());
}

}  // namespace
}  // namespace edgewise
