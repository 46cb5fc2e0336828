// Sessions with real programs. What they use is checked against what the
// programs are known to do, not against the clock.
#include "sessions/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "../controls/fake_clock.h"
#include "base/clock.h"
#include "sessions/outcome.h"
#include "sessions/repeat.h"

namespace edgewise {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() {
    char name[] = "/tmp/edgewise-session-test-XXXXXX";
    home_ = ::mkdtemp(name);
    auto store = Store::Open(home_);
    EXPECT_TRUE(store.ok());
    store_.emplace(std::move(*store));
  }
  ~SessionTest() override {
    store_.reset();
    std::filesystem::remove_all(home_);
  }

  static SessionSettings Shell(const std::string& script) {
    SessionSettings settings;
    settings.command = {"/bin/sh", "-c", script};
    settings.pass_output = false;
    settings.grace_ns = kNsPerSecond / 5;
    settings.linger_ns = kNsPerSecond / 5;
    return settings;
  }
  edgewise::Run MustRun(const SessionSettings& settings) {
    auto run = RunSession(*store_, settings, nullptr);
    EXPECT_TRUE(run.ok()) << run.error().message;
    return run.ok() ? *run : edgewise::Run{};
  }

  std::filesystem::path home_;
  std::optional<Store> store_;
};

TEST_F(SessionTest, ExitCodeAndOutputAreKept) {
  const edgewise::Run run = MustRun(Shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(run.exit_code, 7);
  EXPECT_EQ(ExitCodeOf(run), 7);
  EXPECT_THAT(run.output_tail, HasSubstr("out\n"));
  EXPECT_THAT(run.output_tail, HasSubstr("err\n"));
  EXPECT_EQ(run.state, RunState::kDone);
  const auto stored = store_->Find("last");
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ(stored->id, run.id);
  EXPECT_EQ(stored->exit_code, 7);
}

TEST_F(SessionTest, DeathBySignalIs128PlusItsNumber) {
  const edgewise::Run run = MustRun(Shell("kill -SEGV $$"));
  EXPECT_EQ(run.signal, SIGSEGV);
  EXPECT_EQ(ExitCodeOf(run), 128 + SIGSEGV);
}

TEST_F(SessionTest, PlannedEndIsSuccess) {
  SessionSettings settings = Shell("exec sleep 60");
  settings.conditions.duration_ns = kNsPerSecond / 5;
  const edgewise::Run run = MustRun(settings);
  EXPECT_EQ(run.end_reason, EndReason::kDuration);
  EXPECT_EQ(run.signal, SIGINT);
  EXPECT_EQ(ExitCodeOf(run), 0);
  EXPECT_FALSE(WasCancelled(run));
}

TEST_F(SessionTest, TimeoutIs124AlsoForAProgramThatIgnoresSignals) {
  SessionSettings settings =
      Shell("trap '' INT TERM; while :; do sleep 0.05; done");
  settings.conditions.timeout_ns = kNsPerSecond / 5;
  const edgewise::Run run = MustRun(settings);
  EXPECT_EQ(run.end_reason, EndReason::kTimeout);
  EXPECT_EQ(run.signal, SIGKILL);
  EXPECT_EQ(ExitCodeOf(run), 124);
}

TEST_F(SessionTest, LeftoverDescendantsAreEndedAndTold) {
  const edgewise::Run run = MustRun(Shell("sleep 300 & exit 0"));
  EXPECT_EQ(ExitCodeOf(run), 0);
  ASSERT_FALSE(run.warnings.empty());
  EXPECT_THAT(run.warnings.front(), HasSubstr("outlived"));
}

TEST_F(SessionTest, MissingProgramLeavesNoRun) {
  SessionSettings settings = Shell("");
  settings.command = {"/nonexistent/program"};
  EXPECT_FALSE(RunSession(*store_, settings, nullptr).ok());
  EXPECT_THAT(*store_->List({}), IsEmpty());
}

TEST_F(SessionTest, FailingPrepareStopsBeforeTheProgram) {
  SessionSettings settings = Shell("touch " + (home_ / "ran").string());
  settings.conditions.prepare = "exit 3";
  const auto run = RunSession(*store_, settings, nullptr);
  ASSERT_FALSE(run.ok());
  EXPECT_THAT(run.error().message, HasSubstr("--prepare"));
  EXPECT_FALSE(std::filesystem::exists(home_ / "ran"));
}

TEST_F(SessionTest, PrepareAndCleanupSurroundTheProgram) {
  const std::string log = (home_ / "order").string();
  SessionSettings settings = Shell("echo program >> " + log);
  settings.conditions.prepare = "echo prepare >> " + log;
  settings.conditions.cleanup = "echo cleanup >> " + log;
  MustRun(settings);
  std::string order;
  FILE* file = std::fopen(log.c_str(), "r");
  ASSERT_NE(file, nullptr);
  char text[100];
  order.assign(text, std::fread(text, 1, sizeof text, file));
  std::fclose(file);
  EXPECT_EQ(order, "prepare\nprogram\ncleanup\n");
}

TEST_F(SessionTest, CancellingByASignalIsAnInterruptedRun) {
  SessionSettings settings = Shell("exec sleep 60");
  bool sent = false;
  const auto run = RunSession(*store_, settings, [&](const SessionProgress&) {
    if (!std::exchange(sent, true)) {
      ::kill(::getpid(), SIGTERM);
    }
  });
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->end_reason, EndReason::kCancelled);
  EXPECT_EQ(run->state, RunState::kInterrupted);
}

TEST_F(SessionTest, RepeatsShareAGroup) {
  const auto runs = RunRepeated(*store_, Shell("exit 0"), 3, nullptr);
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 3u);
  EXPECT_FALSE(runs->at(0).group.empty());
  EXPECT_EQ(runs->at(0).group, runs->at(2).group);
  EXPECT_EQ(runs->at(2).repeat_index, 2);
}

TEST_F(SessionTest, EveryPairOfAnInterleavedRunHasBothSides) {
  const auto runs =
      RunInterleaved(*store_, Shell("exit 0"), Shell("exit 1"), 4, 1, nullptr);
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->a.size(), 4u);
  ASSERT_EQ(runs->b.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(runs->a[i].exit_code, 0);
    EXPECT_EQ(runs->b[i].exit_code, 1);
    EXPECT_EQ(runs->a[i].group_role, "a");
    EXPECT_EQ(runs->b[i].group_role, "b");
  }
}

class HeldClockTest : public SessionTest {
 protected:
  // Reads the limits of core 0's clock while it is held at `khz`.
  SessionSettings Reader(int64_t khz) {
    SessionSettings settings =
        Shell("cat scaling_min_freq; echo; cat scaling_max_freq");
    settings.conditions.cwd = clock_.Policy(0);
    settings.conditions.frequency_khz = khz;
    settings.sysfs_root = clock_.root();
    return settings;
  }
  FakeClock clock_;
};

TEST_F(HeldClockTest, IsAConditionOfTheRunAndOverWithIt) {
  const edgewise::Run run = MustRun(Reader(1'000'000));
  EXPECT_EQ(run.output_tail, "1000000\n1000000");
  EXPECT_EQ(run.conditions.frequency_khz, 1'000'000);
  EXPECT_THAT(run.warnings, IsEmpty());
  EXPECT_EQ(clock_.Limits(0), "600000-1500000");
}

TEST_F(HeldClockTest, AnotherThanAskedForIsSaid) {
  const edgewise::Run run = MustRun(Reader(1'020'000));
  EXPECT_EQ(run.conditions.frequency_khz, 1'000'000);
  EXPECT_THAT(run.warnings,
              Contains("the cores ran at 1 GHz, the nearest that they have to "
                       "1.02 GHz"));
}

TEST_F(HeldClockTest, IsOverWhenTheProgramCannotBeStarted) {
  SessionSettings settings = Reader(1'000'000);
  // No program, and no text that a shell could run.
  clock_.tree().Write("app", std::string(64, '\0'));
  std::filesystem::permissions(clock_.root() / "app",
                               std::filesystem::perms::all);
  settings.command = {(clock_.root() / "app").string()};
  EXPECT_FALSE(RunSession(*store_, settings, nullptr).ok());
  EXPECT_EQ(clock_.Limits(0), "600000-1500000");
}

}  // namespace
}  // namespace edgewise
