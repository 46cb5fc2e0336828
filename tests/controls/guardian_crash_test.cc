// What is left when the session, the guardian or both are killed: nothing.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "base/text.h"
#include "controls/guardian.h"
#include "controls/journal.h"
#include "controls/process_tree.h"
#include "session_process.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;
using Kind = GuardianEvent::Kind;

class GuardianCrashTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) {
      if (const auto reason = WhyNoCgroups()) {
        GTEST_SKIP() << *reason;
      }
    }
  }
  bool cgroups() const { return GetParam(); }
};

TEST_P(GuardianCrashTest, AKilledSessionLeavesNothing) {
  const TemporaryHome home;
  SessionProcess session(home, cgroups());
  session.WaitUntilReady();
  session.Kill();
  EXPECT_TRUE(WaitUntilNothingIsLeft(home));
  EXPECT_THAT(home.Left(), IsEmpty());
}

TEST_P(GuardianCrashTest, KilledAtAnyMomentASessionLeavesNothing) {
  std::mt19937 random(42);
  for (int i = 0; i < 30; ++i) {
    const TemporaryHome home;
    {
      SessionProcess session(home, cgroups());
      // A session is ready after a few milliseconds.
      std::uniform_int_distribution<int> moment_us(0, 8000);
      usleep(static_cast<useconds_t>(moment_us(random)));
    }
    // The guardian works on after the session's death, if it got that far; if
    // the session died while it was starting it, nothing had been made.
    ASSERT_TRUE(WaitUntilNothingIsLeft(home))
        << ::testing::PrintToString(home.Left());
  }
}

TEST_P(GuardianCrashTest, KillingBothIsSweptByTheNextStart) {
  const TemporaryHome home;
  {
    SessionProcess session(home, cgroups());
    session.WaitUntilReady();
    const auto guardians = ChildrenOf(session.pid());
    ASSERT_EQ(guardians.size(), 1u);
    // The guardian first: the session is stopped, so it cannot react.
    kill(session.pid(), SIGSTOP);
    kill(guardians[0], SIGKILL);
    EXPECT_TRUE(WaitUntilGone(guardians[0]));
    EXPECT_EQ(*SweepStale(home.path()), 0) << "the session is alive";
    session.Kill();
  }
  EXPECT_FALSE(home.Left().empty());
  const auto swept = SweepStale(home.path());
  ASSERT_TRUE(swept.ok()) << swept.error().message;
  EXPECT_EQ(*swept, 1);
  // A process that was killed takes a moment to be gone.
  EXPECT_TRUE(WaitUntilNothingIsLeft(home));
  EXPECT_THAT(home.Left(), IsEmpty());
}

TEST_P(GuardianCrashTest, AKilledGuardianIsToldAndCleanedUpAfter) {
  const TemporaryHome home;
  auto guardian = Guardian::Start(home.path(), home.id());
  ASSERT_TRUE(guardian.ok()) << guardian.error().message;
  std::vector<std::string> refused;
  if (cgroups()) {
    ASSERT_TRUE(guardian->MakeCgroups({}, &refused).ok());
  }
  const std::string pid_file = home.path() / "daemon";
  LaunchRequest request = HelperRequest(home.id(), {"daemonise", pid_file});
  request.env = {};  // not to be found by its environment
  ASSERT_TRUE(guardian->Launch(request).ok());
  ASSERT_TRUE(guardian->Release().ok());
  EXPECT_EQ(WaitForEvent(&*guardian)->kind, Kind::kExited);
  while (!fs::exists(pid_file)) {
    PauseMs(1);
  }
  const auto daemon = static_cast<pid_t>(*ParseInt(Trim(*ReadFile(pid_file))));
  const auto record =
      ParseJournal(*ReadFile(home.path() / "sessions" / home.id()));
  ASSERT_TRUE(record.ok());
  kill(record->guardian.pid, SIGKILL);

  EXPECT_EQ(WaitForEvent(&*guardian)->kind, Kind::kGuardianDied);
  pollfd readable{guardian->event_fd(), POLLIN, 0};
  EXPECT_EQ(poll(&readable, 1, 0), 0) << "told once, then silent";
  EXPECT_FALSE(guardian->Next());
  const auto usage = guardian->End();
  ASSERT_FALSE(usage.ok()) << "what was used is not known";
  EXPECT_EQ(usage.error().code, ErrorCode::kIo);
  EXPECT_TRUE(WaitUntilGone(daemon));
  EXPECT_THAT(home.Left(), IsEmpty());
}

TEST_P(GuardianCrashTest, NothingCanBeLaunchedAfterTheGuardiansDeath) {
  const TemporaryHome home;
  auto guardian = Guardian::Start(home.path(), home.id());
  ASSERT_TRUE(guardian.ok());
  const auto held = guardian->Launch(HelperRequest(home.id(), {"stubborn"}));
  ASSERT_TRUE(held.ok());
  const auto record =
      ParseJournal(*ReadFile(home.path() / "sessions" / home.id()));
  ASSERT_TRUE(record.ok());
  kill(record->guardian.pid, SIGKILL);
  EXPECT_TRUE(WaitUntilGone(*held)) << "a held program is not let loose";
  const auto launched = guardian->Launch(HelperRequest(home.id(), {"group"}));
  ASSERT_FALSE(launched.ok());
  EXPECT_EQ(launched.error().code, ErrorCode::kIo);
  EXPECT_FALSE(guardian->Release().ok());
  EXPECT_FALSE(guardian->End().ok());
  EXPECT_THAT(home.Left(), IsEmpty());
}

TEST_P(GuardianCrashTest, TheGuardianIgnoresTheTerminalsSignals) {
  const TemporaryHome home;
  SessionProcess session(home, cgroups());
  session.WaitUntilReady();
  const auto guardians = ChildrenOf(session.pid());
  ASSERT_EQ(guardians.size(), 1u);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    kill(guardians[0], signal);
  }
  session.Kill();
  EXPECT_TRUE(WaitUntilNothingIsLeft(home));
}

INSTANTIATE_TEST_SUITE_P(WithAndWithout, GuardianCrashTest, ::testing::Bool(),
                         [](const auto& suite) {
                           return suite.param ? "Cgroups" : "NoCgroups";
                         });

}  // namespace
}  // namespace edgewise
