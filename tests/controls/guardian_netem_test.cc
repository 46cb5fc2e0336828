// A queue that a session adds is gone when the session is over, however it
// ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/text.h"
#include "controls/guardian.h"
#include "controls/journal.h"
#include "controls/network_namespace.h"
#include "own_network.h"
#include "session_process.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GuardianNetemTest : public ::testing::Test {
 protected:
  // The queue that the session's journal announces.
  int Announced() const {
    const auto text = ReadFile(home_.path() / "sessions" / home_.id());
    const auto record = text ? ParseJournal(*text) : text.error();
    if (!record || record->netems.size() != 1) {
      ADD_FAILURE() << "no journal with one queue";
      return 0;
    }
    return record->netems[0].handle;
  }
  std::vector<std::string> Holder() const {
    return {"netem", home_.path(), home_.id(), "lo"};
  }
  Result<Guardian> Start() { return Guardian::Start(home_.path(), home_.id()); }

  TemporaryHome home_;
};

TEST_F(GuardianNetemTest, TheEndRemovesTheQueue) {
  const std::string why_not = InOwnNetworkWithNetem([this] {
    auto guardian = Start();
    ASSERT_TRUE(guardian.ok()) << guardian.error().message;
    const auto held = guardian->HoldNetem("lo", {});
    ASSERT_TRUE(held.ok()) << held.error().message;
    const int handle = Announced();
    EXPECT_TRUE(HasNetem(handle));
    const auto usage = guardian->End();
    EXPECT_TRUE(usage.ok()) << usage.error().message;
    EXPECT_FALSE(HasNetem(handle));
    EXPECT_THAT(home_.Left(), IsEmpty());
  });
  if (!why_not.empty()) {
    GTEST_SKIP() << why_not;
  }
}

TEST_F(GuardianNetemTest, AKilledSessionLeavesNoQueue) {
  const std::string why_not = InOwnNetworkWithNetem([this] {
    SessionProcess session(Holder());
    session.WaitUntilReady();
    const int handle = Announced();
    EXPECT_TRUE(HasNetem(handle));
    session.Kill();
    EXPECT_TRUE(WaitUntilNothingIsLeft(home_));
    EXPECT_FALSE(HasNetem(handle));
  });
  if (!why_not.empty()) {
    GTEST_SKIP() << why_not;
  }
}

TEST_F(GuardianNetemTest, IfBothAreKilledTheNextStartRemovesIt) {
  const std::string why_not = InOwnNetworkWithNetem([this] {
    SessionProcess session(Holder());
    session.WaitUntilReady();
    const int handle = Announced();
    session.KillWithGuardian();
    EXPECT_TRUE(HasNetem(handle));
    const auto swept = SweepStale(home_.path());
    ASSERT_TRUE(swept.ok()) << swept.error().message;
    EXPECT_EQ(*swept, 1);
    EXPECT_FALSE(HasNetem(handle));
    EXPECT_THAT(home_.Left(), IsEmpty());
  });
  if (!why_not.empty()) {
    GTEST_SKIP() << why_not;
  }
}

TEST_F(GuardianNetemTest, TheNextStartFindsItInAnotherNamespace) {
  const std::string why_not = InOwnNetworkWithNetem([this] {
    // Another process keeps the namespace after the session's end.
    const TemporaryHome other;
    SessionProcess session(Holder());
    session.WaitUntilReady();
    const int handle = Announced();
    session.KillWithGuardian();
    SessionProcess keeper({"stubborn"});
    keeper.WaitUntilReady();
    std::thread([this] {
      ASSERT_EQ(unshare(CLONE_NEWNET), 0);
      const auto swept = SweepStale(home_.path());
      ASSERT_TRUE(swept.ok()) << swept.error().message;
      EXPECT_EQ(*swept, 1);
    }).join();
    EXPECT_FALSE(HasNetem(handle));
  });
  if (!why_not.empty()) {
    GTEST_SKIP() << why_not;
  }
}

TEST_F(GuardianNetemTest, AfterAKilledGuardianTheSessionRemovesIt) {
  const std::string why_not = InOwnNetworkWithNetem([this] {
    auto guardian = Start();
    ASSERT_TRUE(guardian.ok());
    ASSERT_TRUE(guardian->HoldNetem("lo", {}).ok());
    const int handle = Announced();
    kill(guardian->pid(), SIGKILL);
    EXPECT_FALSE(guardian->End().ok()) << "what was used is not known";
    EXPECT_FALSE(HasNetem(handle));
  });
  if (!why_not.empty()) {
    GTEST_SKIP() << why_not;
  }
}

TEST_F(GuardianNetemTest, AQueueThatSomebodySetStays) {
  const std::string why_not = InOwnNetworkWithNetem([this] {
    constexpr int kTheirs = kMostNetemHandle + 1;
    ASSERT_EQ(AddNetem(kOwnLoopback, kTheirs, {}), 0);
    auto guardian = Start();
    ASSERT_TRUE(guardian.ok());
    const auto held = guardian->HoldNetem("lo", {});
    ASSERT_FALSE(held.ok());
    EXPECT_EQ(held.error().code, ErrorCode::kBusy);
    EXPECT_THAT(held.error().message, HasSubstr("tc qdisc show dev lo"));
    EXPECT_TRUE(guardian->End().ok());
    EXPECT_TRUE(HasNetem(kTheirs));
  });
  if (!why_not.empty()) {
    GTEST_SKIP() << why_not;
  }
}

TEST_F(GuardianNetemTest, TheHostsLoopbackIsNeverImpaired) {
  auto guardian = Start();
  ASSERT_TRUE(guardian.ok());
  const auto held = guardian->HoldNetem("lo", {});
  ASSERT_FALSE(held.ok());
  EXPECT_EQ(held.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(held.error().message, HasSubstr("name another interface"));
}

TEST_F(GuardianNetemTest, AnUnknownInterfaceIsAnsweredWithThoseThereAre) {
  auto guardian = Start();
  ASSERT_TRUE(guardian.ok());
  for (const char* name : {"nosuch0", "", "a name longer than any interface"}) {
    const auto held = guardian->HoldNetem(name, {});
    ASSERT_FALSE(held.ok());
    EXPECT_EQ(held.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(held.error().message, HasSubstr("choose from"));
    EXPECT_THAT(held.error().message, HasSubstr("lo"));
  }
}

}  // namespace
}  // namespace edgewise
