// A clock that a session holds is as before when the session is over, however
// it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <random>

#include "controls/guardian.h"
#include "controls/journal.h"
#include "controls/restore.h"
#include "fake_clock.h"
#include "session_process.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kHeld[] = "600000-600000";
constexpr char kBefore0[] = "1000000-1500000";
constexpr char kBefore2[] = "600000-1000000";

class GuardianFrequencyTest : public ::testing::Test {
 protected:
  GuardianFrequencyTest() {
    clock_.SetLimits(0, 1'000'000, 1'500'000);
    clock_.SetLimits(2, 600'000, 1'000'000);
  }
  void ExpectAsBefore() {
    EXPECT_EQ(clock_.Limits(0), kBefore0);
    EXPECT_EQ(clock_.Limits(2), kBefore2);
    EXPECT_THAT(home_.Left(), IsEmpty());
  }
  void ExpectHeld() {
    EXPECT_EQ(clock_.Limits(0), kHeld);
    EXPECT_EQ(clock_.Limits(2), kHeld);
  }
  Result<Guardian> Start() { return Guardian::Start(home_.path(), home_.id()); }
  Result<void> Hold(Guardian* guardian) {
    return guardian->HoldFrequency(*PlanFrequency(600'000, {}, clock_.root()));
  }

  FakeClock clock_;
  TemporaryHome home_;
};

TEST_F(GuardianFrequencyTest, TheEndPutsTheClockBack) {
  auto guardian = Start();
  ASSERT_TRUE(guardian.ok()) << guardian.error().message;
  const auto held = Hold(&*guardian);
  ASSERT_TRUE(held.ok()) << held.error().message;
  ExpectHeld();
  const auto record =
      ParseJournal(*ReadFile(home_.path() / "sessions" / home_.id()));
  ASSERT_TRUE(record.ok()) << record.error().message;
  ASSERT_EQ(record->restores.size(), 4u);
  EXPECT_EQ(record->restores[0].path.filename(), "scaling_min_freq")
      << "going below the minimum begins with it";
  EXPECT_EQ(record->restores[0].value, 1'000'000);
  const auto usage = guardian->End();
  ASSERT_TRUE(usage.ok()) << usage.error().message;
  ExpectAsBefore();
}

TEST_F(GuardianFrequencyTest, AKilledSessionLeavesTheClockAsBefore) {
  SessionProcess session(home_, false, clock_.root());
  session.WaitUntilReady();
  ExpectHeld();
  session.Kill();
  EXPECT_TRUE(WaitUntilNothingIsLeft(home_));
  ExpectAsBefore();
}

TEST_F(GuardianFrequencyTest, KilledAtAnyMomentASessionLeavesItAsBefore) {
  std::mt19937 random(42);
  for (int i = 0; i < 30; ++i) {
    {
      SessionProcess session(home_, false, clock_.root());
      // A session is ready after a few milliseconds.
      std::uniform_int_distribution<int> moment_us(0, 8000);
      usleep(static_cast<useconds_t>(moment_us(random)));
    }
    ASSERT_TRUE(WaitUntilNothingIsLeft(home_))
        << ::testing::PrintToString(home_.Left());
    ExpectAsBefore();
  }
}

TEST_F(GuardianFrequencyTest, IfBothAreKilledTheNextStartPutsItBack) {
  SessionProcess session(home_, false, clock_.root());
  session.WaitUntilReady();
  session.KillWithGuardian();
  ExpectHeld();
  const auto swept = SweepStale(home_.path());
  ASSERT_TRUE(swept.ok()) << swept.error().message;
  EXPECT_EQ(*swept, 1);
  ExpectAsBefore();
}

TEST_F(GuardianFrequencyTest, ASweepDoesNotDisturbASessionThatHoldsTheClock) {
  SessionProcess dead(home_, false, clock_.root());
  dead.WaitUntilReady();
  dead.KillWithGuardian();
  const TemporaryHome other;
  auto guardian = Guardian::Start(other.path(), other.id());
  ASSERT_TRUE(guardian.ok());
  ASSERT_TRUE(Hold(&*guardian).ok());
  const auto swept = SweepStale(home_.path());
  ASSERT_FALSE(swept.ok());
  EXPECT_EQ(swept.error().code, ErrorCode::kBusy);
  ExpectHeld();
  ASSERT_TRUE(guardian->End().ok());
  ASSERT_TRUE(SweepStale(home_.path()).ok());
  ExpectAsBefore();
}

TEST_F(GuardianFrequencyTest, ASweepOfAnEarlierBootLeavesTheClockAlone) {
  std::filesystem::create_directories(home_.path() / "sessions");
  JournalRecord record;
  record.id = home_.id();
  record.boot_id = "another boot";
  record.session = record.guardian = {getpid(), 1};
  record.restores = {{clock_.Policy(0) / "scaling_max_freq", 600'000}};
  ASSERT_TRUE(
      CreateJournal(home_.path() / "sessions" / home_.id(), record).ok());
  EXPECT_EQ(*SweepStale(home_.path()), 1);
  ExpectAsBefore();
}

TEST_F(GuardianFrequencyTest, AfterAKilledGuardianTheSessionPutsItBack) {
  auto guardian = Start();
  ASSERT_TRUE(guardian.ok());
  ASSERT_TRUE(Hold(&*guardian).ok());
  kill(guardian->pid(), SIGKILL);
  EXPECT_EQ(WaitForEvent(&*guardian)->kind, GuardianEvent::Kind::kGuardianDied);
  EXPECT_FALSE(guardian->End().ok()) << "what was used is not known";
  ExpectAsBefore();
}

TEST_F(GuardianFrequencyTest, TwoSessionsCannotHoldTheSameClock) {
  auto guardian = Start();
  ASSERT_TRUE(guardian.ok());
  ASSERT_TRUE(Hold(&*guardian).ok());
  const TemporaryHome other;
  auto second = Guardian::Start(other.path(), other.id());
  ASSERT_TRUE(second.ok());
  const auto refused =
      second->HoldFrequency(*PlanFrequency(1'000'000, {1}, clock_.root()));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  EXPECT_THAT(refused.error().message, HasSubstr("wait"));
  ASSERT_TRUE(second->End().ok());
  ExpectHeld();
  ASSERT_TRUE(guardian->End().ok());
  ExpectAsBefore();
}

TEST_F(GuardianFrequencyTest, ALaunchedProgramDoesNotInheritTheLock) {
  auto guardian = Start();
  ASSERT_TRUE(guardian.ok());
  ASSERT_TRUE(Hold(&*guardian).ok());
  Pipe pipe;
  LaunchRequest request;
  request.argv = {"/bin/sh", "-c", "readlink /proc/$$/fd/* | grep -c scaling"};
  request.env = {"PATH=/usr/bin:/bin"};
  request.stdout_fd = pipe.write_end.get();
  ASSERT_TRUE(guardian->Launch(request).ok());
  ASSERT_TRUE(guardian->Release().ok());
  EXPECT_EQ(pipe.ReadLine(), "0\n");
}

TEST_F(GuardianFrequencyTest, AValueThatIsNoneIsNotChanged) {
  auto guardian = Start();
  ASSERT_TRUE(guardian.ok());
  const auto plan = PlanFrequency(600'000, {0}, clock_.root());
  ASSERT_TRUE(plan.ok());
  clock_.Write(0, "scaling_max_freq", "<unknown>");
  const auto held = guardian->HoldFrequency(*plan);
  ASSERT_FALSE(held.ok());
  EXPECT_THAT(held.error().message, HasSubstr("scaling_max_freq"));
  ASSERT_TRUE(guardian->End().ok());
  EXPECT_EQ(clock_.Limits(0), "1000000-<unknown>");
}

}  // namespace
}  // namespace edgewise
