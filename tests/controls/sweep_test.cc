#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "controls/guardian.h"
#include "controls/journal.h"
#include "controls/process_tree.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

class SweepTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(home_.path() / "sessions");
    record_.id = home_.id();
    record_.boot_id = CurrentBootId();
    record_.pid_namespace = CurrentPidNamespace();
    // Owners of the past: this process's pid, but another start.
    record_.session = {getpid(), 1};
    record_.guardian = {getpid(), 2};
    record_.scratch = home_.path() / SessionFolderName(home_.id());
    fs::create_directories(record_.scratch / "inside");
  }
  fs::path journal() const { return home_.path() / "sessions" / home_.id(); }
  void WriteJournal() { ASSERT_TRUE(CreateJournal(journal(), record_).ok()); }
  int Sweep() {
    const auto swept = SweepStale(home_.path());
    EXPECT_TRUE(swept.ok()) << swept.error().message;
    return swept.ok() ? *swept : -1;
  }

  TemporaryHome home_;
  JournalRecord record_;
};

TEST_F(SweepTest, AHomeWithoutSessionsIsClean) {
  const TemporaryHome fresh;
  EXPECT_EQ(*SweepStale(fresh.path()), 0);
  EXPECT_EQ(*SweepStale(fresh.path() / "not/there"), 0);
}

TEST_F(SweepTest, DeadSessionsAreClearedAway) {
  WriteJournal();
  EXPECT_EQ(Sweep(), 1);
  EXPECT_FALSE(fs::exists(record_.scratch));
  EXPECT_FALSE(fs::exists(journal()));
  EXPECT_EQ(Sweep(), 0);
}

TEST_F(SweepTest, ALivingSessionIsLeftAlone) {
  ProcessEntry self;
  ASSERT_TRUE(ReadProcess(getpid(), &self));
  record_.session.start_ticks = self.start_ticks;
  WriteJournal();
  EXPECT_EQ(Sweep(), 0);
  EXPECT_TRUE(fs::exists(record_.scratch));
}

TEST_F(SweepTest, ALivingGuardianIsLeftAlone) {
  ProcessEntry self;
  ASSERT_TRUE(ReadProcess(getpid(), &self));
  record_.guardian.start_ticks = self.start_ticks;
  WriteJournal();
  EXPECT_EQ(Sweep(), 0);
  EXPECT_TRUE(fs::exists(journal()));
}

TEST_F(SweepTest, PidsOfAnEarlierBootMeanNothing) {
  ProcessEntry self;
  ASSERT_TRUE(ReadProcess(getpid(), &self));
  record_.session.start_ticks = self.start_ticks;
  record_.boot_id = "another boot";
  WriteJournal();
  EXPECT_EQ(Sweep(), 1);
  EXPECT_FALSE(fs::exists(record_.scratch));
}

TEST_F(SweepTest, SessionsOfAnotherPidNamespaceAreLeftAlone) {
  record_.pid_namespace = "pid:[42]";
  WriteJournal();
  EXPECT_EQ(Sweep(), 0);
  EXPECT_TRUE(fs::exists(record_.scratch));
}

TEST_F(SweepTest, ProcessesAreFoundByTheirEnvironment) {
  WriteJournal();
  const std::string variable = "EDGEWISE_RUN_ID=" + home_.id();
  Pipe pipe;
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe.write_end.get(), 1);
    execl("/usr/bin/env", "env", variable.c_str(), "sh", "-c",
          "echo ready; sleep 1000", nullptr);
    _exit(127);
  }
  EXPECT_EQ(pipe.ReadLine(), "ready\n");
  EXPECT_EQ(Sweep(), 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(home_.Processes(), IsEmpty());
}

TEST_F(SweepTest, DamagedJournalsAreRemovedAndNothingElse) {
  ASSERT_TRUE(WriteFile(journal(), "scratch " + record_.scratch.string() +
                                       "\ncgroup /sys/fs/cgroup\n")
                  .ok());
  EXPECT_EQ(Sweep(), 1);
  EXPECT_FALSE(fs::exists(journal()));
  EXPECT_TRUE(fs::exists(record_.scratch));
}

TEST_F(SweepTest, ATemporaryJournalIsGivenTime) {
  const fs::path temporary = journal().string() + ".tmp";
  ASSERT_TRUE(WriteFile(temporary, "edgewise jour").ok());
  EXPECT_EQ(Sweep(), 0);
  EXPECT_TRUE(fs::exists(temporary));
  fs::last_write_time(temporary,
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(Sweep(), 1);
  EXPECT_FALSE(fs::exists(temporary));
}

TEST_F(SweepTest, StrangeEntriesDoNotStopTheSweep) {
  WriteJournal();
  fs::create_directories(home_.path() / "sessions/folder");
  fs::create_symlink("/etc/passwd", home_.path() / "sessions/link");
  ASSERT_EQ(mkfifo((home_.path() / "sessions/pipe").c_str(), 0600), 0);
  EXPECT_EQ(Sweep(), 1);
  EXPECT_TRUE(fs::exists("/etc/passwd"));
  EXPECT_TRUE(fs::exists(home_.path() / "sessions/folder"));
}

TEST_F(SweepTest, TwoSweepsAtOnceDoTheWorkOnce) {
  WriteJournal();
  std::vector<pid_t> sweepers;
  for (int i = 0; i < 4; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      const auto swept = SweepStale(home_.path());
      _exit(swept.ok() ? *swept : 100);
    }
    sweepers.push_back(pid);
  }
  int total = 0;
  for (const pid_t pid : sweepers) {
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    total += WEXITSTATUS(status);
  }
  EXPECT_EQ(total, 1);
  EXPECT_FALSE(fs::exists(record_.scratch));
}

}  // namespace
}  // namespace edgewise
