// The guardian with real cgroups, where this machine lets us make them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/text.h"
#include "controls/cgroup_end.h"
#include "controls/guardian.h"
#include "controls/small_file.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = GuardianEvent::Kind;

class GuardianCgroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = WhyNoCgroups()) {
      GTEST_SKIP() << *reason;
    }
    auto started = Guardian::Start(home_.path(), home_.id());
    ASSERT_TRUE(started.ok()) << started.error().message;
    guardian_.emplace(std::move(*started));
  }
  void TearDown() override {
    guardian_.reset();
    EXPECT_THAT(home_.Left(), IsEmpty());
  }
  CgroupFolders MakeCgroups(const CgroupWishes& wishes) {
    const auto folders = guardian_->MakeCgroups(wishes, &refused_);
    EXPECT_TRUE(folders.ok()) << folders.error().message;
    return folders.ok() ? *folders : CgroupFolders();
  }
  void Run(const LaunchRequest& request) {
    const auto pid = guardian_->Launch(request);
    ASSERT_TRUE(pid.ok()) << pid.error().message;
    ASSERT_TRUE(guardian_->Release().ok());
  }
  GuardianEvent Next() {
    const auto event = WaitForEvent(&*guardian_);
    EXPECT_TRUE(event) << "no event came";
    return event.value_or(GuardianEvent());
  }

  TemporaryHome home_;
  std::optional<Guardian> guardian_;
  std::vector<std::string> refused_;
};

TEST_F(GuardianCgroupTest, TheHeldProgramIsInAllItsCgroups) {
  const CgroupFolders folders = MakeCgroups({});
  const auto pid = guardian_->Launch(HelperRequest(home_.id(), {"stubborn"}));
  ASSERT_TRUE(pid.ok());
  for (const fs::path& folder :
       {folders.unified, folders.cpuacct, folders.memory, folders.blkio}) {
    if (!folder.empty()) {
      EXPECT_EQ(*ReadFile(folder / "cgroup.procs"), std::to_string(*pid) + "\n")
          << folder;
    }
  }
}

TEST_F(GuardianCgroupTest, PreparationsStayOutside) {
  const CgroupFolders folders = MakeCgroups({});
  LaunchRequest request = HelperRequest(home_.id(), {"stubborn"});
  request.in_cgroup = false;
  ASSERT_TRUE(guardian_->Launch(request).ok());
  const fs::path folder =
      folders.unified.empty() ? folders.memory : folders.unified;
  EXPECT_EQ(*ReadFile(folder / "cgroup.procs"), "");
}

TEST_F(GuardianCgroupTest, AQuotaThrottles) {
  const auto folders =
      guardian_->MakeCgroups({.cpu_quota_cores = 0.1}, &refused_);
  if (!folders.ok()) {
    GTEST_SKIP() << folders.error().message;
  }
  Run(HelperRequest(home_.id(), {"burn", "150"}));
  EXPECT_EQ(Next().kind, Kind::kExited);
  const fs::path folder =
      folders->cpu.empty() ? folders->unified : folders->cpu;
  const auto throttled =
      FindKeyedInt(*ReadFile(folder / "cpu.stat"), "nr_throttled");
  ASSERT_TRUE(throttled);
  EXPECT_GT(*throttled, 0);
}

TEST_F(GuardianCgroupTest, AMemoryLimitKills) {
  const auto folders =
      guardian_->MakeCgroups({.memory_limit_bytes = 32 << 20}, &refused_);
  if (!folders.ok()) {
    GTEST_SKIP() << folders.error().message;
  }
  if (const auto swap = TryReadFile("/proc/swaps");
      swap && Split(Trim(*swap), '\n').size() > 1) {
    GTEST_SKIP() << "there is swap space, which the limit does not cover";
  }
  Run(HelperRequest(home_.id(), {"touch", "134217728"}));
  const GuardianEvent exited = Next();
  ASSERT_EQ(exited.kind, Kind::kExited);
  EXPECT_TRUE(WIFSIGNALED(exited.status));
  EXPECT_EQ(WTERMSIG(exited.status), SIGKILL);
}

TEST_F(GuardianCgroupTest, AForkBombIsEndedAtOnce) {
  MakeCgroups({});
  Pipe pipe;
  LaunchRequest request = HelperRequest(home_.id(), {"fork-bomb", "1000"});
  request.stdout_fd = pipe.write_end.get();
  Run(request);
  EXPECT_EQ(pipe.ReadLine(), "ready\n");
  const auto usage = guardian_->End();
  EXPECT_TRUE(usage.ok()) << usage.error().message;
}

TEST_F(GuardianCgroupTest, CgroupsThatTheProgramMadeGoToo) {
  const CgroupFolders folders = MakeCgroups({});
  const fs::path folder =
      folders.unified.empty() ? folders.memory : folders.unified;
  fs::create_directories(folder / "inner/most");
  LaunchRequest request = HelperRequest(home_.id(), {});
  Pipe pipe;
  request.argv = {"/bin/sh", "-c",
                  "echo 0 > '" + (folder / "inner/most/cgroup.procs").string() +
                      "'; echo ready; sleep 1000"};
  request.stdout_fd = pipe.write_end.get();
  Run(request);
  EXPECT_EQ(pipe.ReadLine(), "ready\n");
  const auto usage = guardian_->End();
  EXPECT_TRUE(usage.ok()) << usage.error().message;
}

TEST_F(GuardianCgroupTest, ACgroupIsEmptiedFromOutside) {
  const CgroupFolders folders = MakeCgroups({});
  Run(HelperRequest(home_.id(), {"fork-bomb", "50"}));
  for (const fs::path& folder : {folders.memory, folders.unified}) {
    if (!folder.empty()) {
      EXPECT_TRUE(EmptyCgroup(folder.c_str(), NowNs() + 20'000'000'000));
      EXPECT_EQ(*ReadFile(folder / "cgroup.procs"), "");
    }
  }
  EXPECT_EQ(Next().kind, Kind::kExited);
  EXPECT_EQ(Next().kind, Kind::kTreeEmpty);
}

TEST_F(GuardianCgroupTest, KillingTheTreeNeedsOneSignal) {
  MakeCgroups({});
  Run(HelperRequest(home_.id(), {"stubborn"}));
  ASSERT_TRUE(guardian_->SignalTree(SIGKILL).ok());
  EXPECT_EQ(WTERMSIG(Next().status), SIGKILL);
  EXPECT_EQ(Next().kind, Kind::kTreeEmpty);
}

TEST_F(GuardianCgroupTest, RealTimeProgramsRunInTheirCgroups) {
  const CgroupFolders folders = MakeCgroups({.realtime = true});
  EXPECT_TRUE(folders.cpu.empty());
  LaunchRequest request = HelperRequest(home_.id(), {"burn", "1"});
  request.policy = SchedulingPolicy{SCHED_FIFO, 10};
  Run(request);
  const GuardianEvent event = Next();
  if (event.kind == Kind::kLaunchFailed && event.error_number == EPERM) {
    GTEST_SKIP() << "no permission for real-time policies";
  }
  EXPECT_EQ(event.kind, Kind::kExited) << event.stage;
}

TEST(CgroupEndTest, AbsentCgroupsAreEmptyAndRemoved) {
  EXPECT_TRUE(EmptyCgroup("/no/such/cgroup", NowNs()));
  EXPECT_EQ(RemoveCgroup("/no/such/cgroup", NowNs()), 0);
  EXPECT_FALSE(KillCgroupAtOnce("/no/such/cgroup"));
}

}  // namespace
}  // namespace edgewise
