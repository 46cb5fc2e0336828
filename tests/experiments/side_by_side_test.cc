// Real programs beside each other. Who ran when is told by the Runs and by
// what the programs wrote, not by the clock.
#include "experiments/side_by_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/text.h"
#include "store/store.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class SideBySideTest : public ::testing::Test {
 protected:
  SideBySideTest() {
    char name[] = "/tmp/edgewise-beside-XXXXXX";
    folder_ = ::mkdtemp(name);
    request_.home = folder_ / "home";
    request_.settle_ns = 0;
  }
  ~SideBySideTest() override { std::filesystem::remove_all(folder_); }

  SessionSettings Shell(const std::string& script) const {
    SessionSettings settings;
    settings.command = {"/bin/sh", "-c", script};
    settings.conditions.cwd = folder_.string();
    settings.pass_output = false;
    settings.grace_ns = kNsPerSecond / 2;
    settings.linger_ns = kNsPerSecond / 5;
    return settings;
  }

  std::filesystem::path folder_;
  SideBySideRequest request_;
};

TEST_F(SideBySideTest, BothSidesBecomeRuns) {
  request_.neighbours = {Shell("touch up; exec sleep 1000")};
  // Fails unless the neighbour is there first.
  request_.subject = Shell("test -e up");
  request_.subject.group = "g";
  request_.subject.group_role = "subject";
  const auto outcome = RunSideBySide(request_);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_TRUE(outcome->complete()) << outcome->failure;
  ASSERT_TRUE(outcome->subject);
  EXPECT_EQ(outcome->subject->exit_code, 0);
  EXPECT_EQ(outcome->subject->group_role, "subject");
  ASSERT_THAT(outcome->neighbours, SizeIs(1));
  ASSERT_THAT(outcome->neighbours[0].runs, SizeIs(1));
  const edgewise::Run& neighbour = outcome->neighbours[0].runs[0];
  EXPECT_EQ(neighbour.end_reason, EndReason::kCancelled);
  // It was there from before the subject's start until after its end.
  EXPECT_LT(neighbour.started_monotonic_ns,
            outcome->subject->started_monotonic_ns);
  EXPECT_GT(neighbour.started_monotonic_ns +
                static_cast<int64_t>(*neighbour.totals.wall_s * 1e9),
            outcome->subject->started_monotonic_ns +
                static_cast<int64_t>(*outcome->subject->totals.wall_s * 1e9));
}

TEST_F(SideBySideTest, ANeighbourThatEndsEarlyIsStartedAgain) {
  request_.neighbours = {Shell("echo x >> starts")};
  request_.subject =
      Shell("while [ $(wc -l < starts) -lt 4 ]; do sleep 0.01; done");
  const auto outcome = RunSideBySide(request_);
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->complete());
  EXPECT_GE(outcome->neighbours[0].restarts(), 3);
}

TEST_F(SideBySideTest, ANeighbourThatFailsAtOnceIsToldAndNothingIsMeasured) {
  request_.neighbours = {Shell("exit 7")};
  request_.settle_ns = 600 * kNsPerSecond;
  request_.subject = Shell("touch ran");
  const auto outcome = RunSideBySide(request_);
  ASSERT_TRUE(outcome.ok());
  EXPECT_FALSE(outcome->complete());
  EXPECT_FALSE(outcome->subject);
  EXPECT_THAT(outcome->neighbours[0].failure, HasSubstr("code 7"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "ran"));
}

TEST_F(SideBySideTest, ANeighbourThatFailsLaterIsTold) {
  request_.neighbours = {
      Shell("while [ ! -e subject ]; do sleep 0.01; done; exit 7")};
  // Until the neighbour's session is over: then only one journal is left.
  request_.subject = Shell(
      "touch subject; "
      "while [ $(ls home/sessions | wc -l) -gt 1 ]; do sleep 0.01; done");
  const auto outcome = RunSideBySide(request_);
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->subject);
  EXPECT_FALSE(outcome->complete());
  EXPECT_THAT(outcome->neighbours[0].failure, HasSubstr("code 7"));
}

TEST_F(SideBySideTest, ASubjectThatFailsIsARunWithItsCode) {
  request_.neighbours = {Shell("exec sleep 1000")};
  request_.subject = Shell("exit 3");
  const auto outcome = RunSideBySide(request_);
  ASSERT_TRUE(outcome.ok());
  EXPECT_FALSE(outcome->complete());
  ASSERT_TRUE(outcome->subject);
  EXPECT_EQ(outcome->subject->exit_code, 3);
  EXPECT_THAT(outcome->failure, HasSubstr("code 3"));
  EXPECT_EQ(outcome->neighbours[0].failure, "");
}

TEST_F(SideBySideTest, ACommandThatIsNotThereIsNamed) {
  request_.subject = Shell("true");
  request_.subject.command = {"/nowhere/program"};
  const auto outcome = RunSideBySide(request_);
  ASSERT_TRUE(outcome.ok());
  EXPECT_THAT(outcome->failure, HasSubstr("/nowhere/program"));
}

TEST_F(SideBySideTest, ASignalEndsAllInOrder) {
  request_.neighbours = {Shell("exec sleep 1000")};
  request_.subject =
      Shell("kill -INT " + std::to_string(::getpid()) + "; exec sleep 1000");
  const auto outcome = RunSideBySide(request_);
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->cancelled);
  EXPECT_FALSE(outcome->complete());
  ASSERT_TRUE(outcome->subject);
  EXPECT_EQ(outcome->subject->end_reason, EndReason::kCancelled);
}

// The process whose number is in the file is gone.
bool Gone(const std::filesystem::path& pid_file) {
  const auto pid = TryReadFile(pid_file);
  return pid && ::kill(static_cast<pid_t>(*ParseInt(Trim(*pid))), 0) != 0;
}

TEST_F(SideBySideTest, NothingOutlivesAKilledParent) {
  request_.neighbours = {Shell("echo $$ > neighbour; exec sleep 1000")};
  request_.subject = Shell("echo $$ > subject; exec sleep 1000");
  const pid_t parent = ::fork();
  if (parent == 0) {
    (void)RunSideBySide(request_);
    ::_exit(0);
  }
  while (!TryReadFile(folder_ / "subject").value_or("").ends_with("\n")) {
    ::usleep(1000);
  }
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  // Hangs, and is ended by the test's time limit, if one stays.
  while (!Gone(folder_ / "neighbour") || !Gone(folder_ / "subject")) {
    ::usleep(1000);
  }
  // The guardians also clean up.
  while (!std::filesystem::is_empty(request_.home / "sessions")) {
    ::usleep(1000);
  }
}

}  // namespace
}  // namespace edgewise
