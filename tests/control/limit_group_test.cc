#include "control/limit_group.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "../probes/fake_tree.h"

namespace edgewise::control {
namespace {

namespace fs = std::filesystem;

// A machine's /proc and /sys/fs/cgroup in a folder.
class LimitGroupTest : public testing::Test {
 protected:
  void Write(const fs::path& path, const std::string& text) {
    tree_.Write(path, text);
  }
  void MakeV1(const std::string& group) {
    Write("proc/self/mountinfo",
          "30 1 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
    Write("proc/7/cgroup", "3:cpu:" + group + "\n");
    Write("sys/fs/cgroup/cpu/cgroup.procs", "1\n7\n");
  }
  void MakeV2(const std::string& group) {
    Write("proc/self/mountinfo",
          "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    Write("proc/7/cgroup", "0::" + group + "\n");
    Write("sys/fs/cgroup/cgroup.procs", "1\n");
    Write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    Write("sys/fs/cgroup/cgroup.subtree_control", "cpu memory\n");
  }

  FakeTree tree_;
  const fs::path& root_ = tree_.root();
};

TEST_F(LimitGroupTest, AGroupThatIsTheAppsOwnIsUsed) {
  MakeV1("/service");
  Write("sys/fs/cgroup/cpu/service/cgroup.procs", "7\n8\n");
  const auto own = FindLimitGroup("cpu", {7, false, {7, 8}}, root_);
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(own->folder, root_ / "sys/fs/cgroup/cpu/service");
  EXPECT_TRUE(own->v1);
  EXPECT_FALSE(own->to_make);
}

TEST_F(LimitGroupTest, AGroupWithOthersInItIsNot) {
  MakeV1("/service");
  Write("sys/fs/cgroup/cpu/service/cgroup.procs", "7\n99\n");
  const auto made = FindLimitGroup("cpu", {7, false, {7}}, root_);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->to_make);
  EXPECT_EQ(made->folder, root_ / "sys/fs/cgroup/cpu/service/edgewise-agent-7");
  const auto container = FindLimitGroup("cpu", {7, true, {7}}, root_);
  ASSERT_TRUE(container);
  EXPECT_FALSE(container->to_make);
}

TEST_F(LimitGroupTest, TheRootIsNobodysOwn) {
  MakeV1("/");
  Write("sys/fs/cgroup/cpu/cgroup.procs", "7\n");
  const auto made = FindLimitGroup("cpu", {7, true, {7}}, root_);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->to_make);
}

TEST_F(LimitGroupTest, OnV2ANewGroupIsMadeBesideTheOld) {
  MakeV2("/user/shell");
  Write("sys/fs/cgroup/user/cgroup.procs", "");
  Write("sys/fs/cgroup/user/cgroup.subtree_control", "cpu\n");
  Write("sys/fs/cgroup/user/shell/cgroup.procs", "7\n99\n");
  const auto made = FindLimitGroup("cpu", {7, false, {7}}, root_);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(made->v1);
  EXPECT_TRUE(made->to_make);
  EXPECT_EQ(made->folder, root_ / "sys/fs/cgroup/user/edgewise-agent-7");
  const auto memory = FindLimitGroup("memory", {7, false, {7}}, root_);
  ASSERT_FALSE(memory);
  EXPECT_NE(memory.error().message.find("cgroup.subtree_control"),
            std::string::npos);
}

TEST_F(LimitGroupTest, SettingsAreWrittenAsEachVersionWantsThem) {
  AppSetting setting;
  setting.quota_cores = 0.5;
  setting.quota_period_us = 20'000;
  setting.shares = 8192;
  EXPECT_EQ(CpuValues(setting, true),
            (GroupValues{{"cpu.shares", "8192"},
                         {"cpu.cfs_quota_us", "-1"},
                         {"cpu.cfs_period_us", "20000"},
                         {"cpu.cfs_quota_us", "10000"}}));
  EXPECT_EQ(CpuValues(setting, false),
            (GroupValues{{"cpu.weight", "800"}, {"cpu.max", "10000 20000"}}));
  setting.quota_cores.reset();
  EXPECT_EQ(CpuValues(setting, false).back().second, "max 100000");
  EXPECT_EQ(MemoryValues(5, true).front().first, "memory.soft_limit_in_bytes");
  EXPECT_EQ(MemoryValues(5, false).front().first, "memory.high");
  EXPECT_EQ(CpusetValues({0, 1, 3}).front().second, "0-1,3");
}

TEST(KubeletGroupTest, IsKnownByItsPath) {
  EXPECT_TRUE(IsKubeletGroup("0::/kubepods.slice/kubepods-pod1.slice/x\n"));
  EXPECT_TRUE(IsKubeletGroup("3:cpu:/kubepods/burstable/pod1/abc\n"));
  EXPECT_FALSE(IsKubeletGroup("0::/system.slice/docker-abc.scope\n"));
}

}  // namespace
}  // namespace edgewise::control
