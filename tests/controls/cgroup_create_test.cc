#include "controls/cgroup_create.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/text.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Plain folders that stand for cgroup hierarchies; what the kernel would put
// into them is written by hand.
class CgroupCreateTest : public ::testing::Test {
 protected:
  fs::path Make(const std::string& folder) {
    fs::create_directories(home_.path() / folder);
    return home_.path() / folder;
  }
  fs::path MakeUnified(const std::string& folder,
                       const std::string& subtree_control) {
    const fs::path path = Make(folder);
    EXPECT_TRUE(WriteFile(path / "cgroup.procs", "").ok());
    EXPECT_TRUE(
        WriteFile(path / "cgroup.subtree_control", subtree_control).ok());
    return path;
  }
  // The v2 tree root/slice/scope, whose processes are in scope.
  CgroupLayout Unified(const std::string& root_control,
                       const std::string& slice_control) {
    CgroupLayout layout;
    layout.unified = CgroupLayout::Unified{
        MakeUnified("v2", root_control), {}, {"cpu", "memory", "io"}};
    MakeUnified("v2/slice", slice_control);
    layout.unified->own = MakeUnified("v2/slice/scope", "");
    return layout;
  }
  CgroupLayout Version1(bool co_mounted) {
    CgroupLayout layout;
    layout.v1["cpu"] = Make(co_mounted ? "cpu,cpuacct" : "cpu");
    layout.v1["cpuacct"] = Make(co_mounted ? "cpu,cpuacct" : "cpuacct");
    layout.v1["memory"] = Make("memory/own");
    layout.v1["blkio"] = Make("blkio");
    layout.v1["freezer"] = Make("freezer");
    return layout;
  }
  Result<CgroupFolders> Create(const CgroupLayout& layout,
                               const CgroupWishes& wishes) {
    return CreateCgroups(
        layout, wishes, "edgewise-x",
        [this](const fs::path& folder) -> Result<void> {
          EXPECT_FALSE(fs::exists(folder)) << "announced too late";
          announced_.push_back(folder);
          return {};
        },
        &refused_);
  }
  std::string Read(const fs::path& path) {
    return TryReadFile(path).value_or("(absent)");
  }

  TemporaryHome home_;
  std::vector<fs::path> announced_;
  std::vector<std::string> refused_;
};

TEST_F(CgroupCreateTest, Version1WithoutQuotaStaysOutOfCpu) {
  const CgroupLayout layout = Version1(/*co_mounted=*/false);
  const auto folders = Create(layout, {});
  ASSERT_TRUE(folders.ok()) << folders.error().message;
  EXPECT_TRUE(folders->cpu.empty());
  EXPECT_EQ(folders->cpuacct, home_.path() / "cpuacct/edgewise-x");
  EXPECT_EQ(folders->memory, home_.path() / "memory/own/edgewise-x");
  EXPECT_TRUE(fs::is_directory(folders->blkio));
  EXPECT_TRUE(folders->unified.empty());
  EXPECT_FALSE(fs::exists(home_.path() / "freezer/edgewise-x"));
  EXPECT_THAT(announced_,
              ElementsAre(folders->cpuacct, folders->memory, folders->blkio));
  EXPECT_THAT(refused_, IsEmpty());
}

TEST_F(CgroupCreateTest, Version1LimitsAreWritten) {
  const auto folders =
      Create(Version1(/*co_mounted=*/false),
             {.cpu_quota_cores = 0.5, .memory_limit_bytes = 1 << 20});
  ASSERT_TRUE(folders.ok()) << folders.error().message;
  EXPECT_EQ(Read(folders->cpu / "cpu.cfs_quota_us"), "50000");
  EXPECT_EQ(Read(folders->cpu / "cpu.cfs_period_us"), "100000");
  EXPECT_EQ(Read(folders->memory / "memory.limit_in_bytes"), "1048576");
}

TEST_F(CgroupCreateTest, CoMountedCpuComesWithCpuacct) {
  const auto folders = Create(Version1(/*co_mounted=*/true), {});
  ASSERT_TRUE(folders.ok());
  EXPECT_EQ(folders->cpu, home_.path() / "cpu,cpuacct/edgewise-x");
  EXPECT_EQ(folders->cpuacct, folders->cpu);
  EXPECT_EQ(announced_.size(), 3u) << "one folder is made once";
}

TEST_F(CgroupCreateTest, RealTimeStaysOutOfVersion1Cpu) {
  const auto separate =
      Create(Version1(/*co_mounted=*/false), {.realtime = true});
  ASSERT_TRUE(separate.ok());
  EXPECT_TRUE(separate->cpu.empty());
  EXPECT_FALSE(separate->cpuacct.empty());
  fs::remove_all(home_.path() / "memory/own/edgewise-x");
  fs::remove_all(home_.path() / "blkio/edgewise-x");
  const auto together =
      Create(Version1(/*co_mounted=*/true), {.realtime = true});
  ASSERT_TRUE(together.ok());
  EXPECT_TRUE(together->cpu.empty());
  EXPECT_TRUE(together->cpuacct.empty());
}

TEST_F(CgroupCreateTest, AQuotaOnRealTimeIsRefused) {
  const auto folders =
      Create(Version1(false), {.cpu_quota_cores = 0.5, .realtime = true});
  ASSERT_FALSE(folders.ok());
  EXPECT_EQ(folders.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(folders.error().message, HasSubstr("leave out one of"));
}

TEST_F(CgroupCreateTest, AFolderWithCpuAndMemoryIsPreferred) {
  const auto folders = Create(Unified("cpu memory io", "memory"), {});
  ASSERT_TRUE(folders.ok()) << folders.error().message;
  EXPECT_EQ(folders->unified, home_.path() / "v2/edgewise-x");
}

TEST_F(CgroupCreateTest, TheNearestFolderWithTheLimitsIsUsed) {
  const auto folders =
      Create(Unified("cpu memory", "cpu memory"),
             {.cpu_quota_cores = 1.5, .memory_limit_bytes = int64_t{64} << 20});
  ASSERT_TRUE(folders.ok()) << folders.error().message;
  EXPECT_EQ(folders->unified, home_.path() / "v2/slice/edgewise-x");
  EXPECT_EQ(Read(folders->unified / "cpu.max"), "150000 100000");
  EXPECT_EQ(Read(folders->unified / "memory.max"), "67108864");
}

TEST_F(CgroupCreateTest, WithoutControllersOnesOwnFolderServes) {
  const auto folders = Create(Unified("", ""), {});
  ASSERT_TRUE(folders.ok());
  EXPECT_EQ(folders->unified, home_.path() / "v2/slice/scope/edgewise-x");
}

TEST_F(CgroupCreateTest, ForeignFoldersAreNotChanged) {
  const CgroupLayout layout = Unified("cpu memory", "memory");
  ASSERT_TRUE(Create(layout, {.cpu_quota_cores = 1}).ok());
  EXPECT_EQ(Read(home_.path() / "v2/cgroup.subtree_control"), "cpu memory");
  EXPECT_EQ(Read(home_.path() / "v2/slice/cgroup.subtree_control"), "memory");
  EXPECT_EQ(Read(home_.path() / "v2/slice/scope/cgroup.subtree_control"), "");
}

TEST_F(CgroupCreateTest, LimitsOfAnAncestorAreNotEscaped) {
  const CgroupLayout layout = Unified("cpu memory", "memory");
  ASSERT_TRUE(
      WriteFile(home_.path() / "v2/slice/memory.max", "1000000\n").ok());
  const auto folders = Create(layout, {});
  ASSERT_TRUE(folders.ok());
  EXPECT_EQ(folders->unified, home_.path() / "v2/slice/scope/edgewise-x")
      << "not at the top, where slice's limit does not hold";
  const auto limited = Create(layout, {.cpu_quota_cores = 1});
  ASSERT_FALSE(limited.ok());
  EXPECT_EQ(limited.error().code, ErrorCode::kPermission);
}

TEST_F(CgroupCreateTest, UnlimitedAncestorsMayBeLeft) {
  const CgroupLayout layout = Unified("cpu memory", "");
  ASSERT_TRUE(WriteFile(home_.path() / "v2/slice/memory.max", "max\n").ok());
  ASSERT_TRUE(
      WriteFile(home_.path() / "v2/slice/cpu.max", "max 100000\n").ok());
  const auto folders = Create(layout, {.cpu_quota_cores = 1});
  ASSERT_TRUE(folders.ok()) << folders.error().message;
  EXPECT_EQ(folders->unified, home_.path() / "v2/edgewise-x");
}

TEST_F(CgroupCreateTest, AMissingControllerSaysHowToEnableIt) {
  CgroupLayout layout = Unified("cpu", "cpu");
  layout.unified->controllers = {"cpu"};
  const auto folders = Create(layout, {.memory_limit_bytes = 1 << 20});
  ASSERT_FALSE(folders.ok());
  EXPECT_EQ(folders.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(folders.error().message, HasSubstr("no memory controller"));
  EXPECT_THAT(folders.error().message, HasSubstr("cgroup_enable=memory"));
}

TEST_F(CgroupCreateTest, HybridTakesLimitsFromVersion1) {
  CgroupLayout layout = Version1(/*co_mounted=*/false);
  layout.unified = Unified("", "").unified;
  layout.unified->controllers = {"hugetlb"};
  const auto folders = Create(layout, {.cpu_quota_cores = 2});
  ASSERT_TRUE(folders.ok()) << folders.error().message;
  EXPECT_EQ(Read(folders->cpu / "cpu.cfs_quota_us"), "200000");
  EXPECT_FALSE(folders->unified.empty());
  EXPECT_EQ(Read(folders->unified / "cpu.max"), "(absent)");
}

TEST_F(CgroupCreateTest, HierarchiesThatRefuseAreLeftOutWithTheReason) {
  CgroupLayout layout = Version1(/*co_mounted=*/false);
  layout.v1["memory"] = home_.path() / "nowhere";
  const auto folders = Create(layout, {});
  ASSERT_TRUE(folders.ok());
  EXPECT_TRUE(folders->memory.empty());
  EXPECT_FALSE(folders->cpuacct.empty());
  EXPECT_THAT(refused_, ElementsAre(HasSubstr("nowhere/edgewise-x")));
}

TEST_F(CgroupCreateTest, AWishThatIsRefusedSaysWhatToDo) {
  CgroupLayout layout = Version1(/*co_mounted=*/false);
  layout.v1["memory"] = home_.path() / "nowhere";
  const auto folders = Create(layout, {.memory_limit_bytes = 1});
  ASSERT_FALSE(folders.ok());
  EXPECT_THAT(folders.error().message, HasSubstr("systemd-run --user --scope"));
}

TEST_F(CgroupCreateTest, NoCgroupsAtAllIsFineWithoutWishes) {
  const auto folders = Create(CgroupLayout(), {});
  ASSERT_TRUE(folders.ok());
  EXPECT_TRUE(folders->empty());
  const auto limited = Create(CgroupLayout(), {.cpu_quota_cores = 1});
  ASSERT_FALSE(limited.ok());
  EXPECT_EQ(limited.error().code, ErrorCode::kUnsupported);
}

TEST_F(CgroupCreateTest, WhatCannotBeAnnouncedIsNotMade) {
  std::vector<std::string> refused;
  const auto folders = CreateCgroups(
      Unified("", ""), {}, "edgewise-x",
      [](const fs::path& folder) -> Result<void> {
        if (folder.parent_path().filename() == "scope") {
          return Error{ErrorCode::kIo, "the journal cannot be written"};
        }
        return {};
      },
      &refused);
  ASSERT_TRUE(folders.ok());
  EXPECT_FALSE(fs::exists(home_.path() / "v2/slice/scope/edgewise-x"));
  EXPECT_EQ(folders->unified, home_.path() / "v2/slice/edgewise-x")
      << "the next folder is tried";
}

TEST_F(CgroupCreateTest, QuotasBelowTheKernelsSmallestAreRefused) {
  const auto folders = Create(Version1(false), {.cpu_quota_cores = 0.001});
  ASSERT_FALSE(folders.ok());
  EXPECT_EQ(folders.error().code, ErrorCode::kInvalid);
}

TEST_F(CgroupCreateTest, WithoutPermissionTheReasonIsPermission) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "needs root to become somebody without permission";
  }
  const CgroupLayout layout = Unified("cpu memory", "cpu memory");
  fs::permissions(home_.path(), fs::perms(0755));
  ASSERT_EQ(seteuid(65534), 0);
  const auto limited = Create(layout, {.cpu_quota_cores = 1});
  const auto plain = Create(layout, {});
  ASSERT_EQ(seteuid(0), 0);
  ASSERT_FALSE(limited.ok());
  EXPECT_EQ(limited.error().code, ErrorCode::kPermission);
  EXPECT_THAT(limited.error().message, HasSubstr("run edgewise as root"));
  ASSERT_TRUE(plain.ok());
  EXPECT_TRUE(plain->empty());
  EXPECT_THAT(refused_, Contains(HasSubstr("may be made from")));
}

}  // namespace
}  // namespace edgewise
