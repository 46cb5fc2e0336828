#include "containers/cgroup_parent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::UnorderedElementsAre;

constexpr char kHybridMounts[] =
    "30 23 0:26 / /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu\n"
    "31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "32 23 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
    "33 23 0:29 / /tmp rw - tmpfs tmpfs rw\n";

TEST(CgroupParentTest, IsBelowWhatAllHierarchiesShare) {
  const auto parent = CgroupParentFrom(
      "2:cpu:/user.slice/me\n1:memory:/user.slice/other\n0::/user.slice/me\n",
      kHybridMounts, "abc");
  ASSERT_TRUE(parent);
  EXPECT_EQ(parent->path, "/user.slice/edgewise-abc");
  EXPECT_THAT(
      parent->folders,
      UnorderedElementsAre("/sys/fs/cgroup/cpu/user.slice/edgewise-abc",
                           "/sys/fs/cgroup/memory/user.slice/edgewise-abc",
                           "/sys/fs/cgroup/unified/user.slice/edgewise-abc"));
}

TEST(CgroupParentTest, IsAtTheRootWhereNothingIsShared) {
  const auto parent =
      CgroupParentFrom("2:cpu:/\n1:memory:/a/b\n0::/\n", kHybridMounts, "abc");
  ASSERT_TRUE(parent);
  EXPECT_EQ(parent->path, "/edgewise-abc");
}

TEST(CgroupParentTest, IsTheEnginesBusinessUnderCgroupsV2Alone) {
  EXPECT_FALSE(CgroupParentFrom(
      "0::/user.slice\n",
      "32 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "abc"));
}

TEST(CgroupParentTest, NeedsHierarchiesThatAreWhollyVisible) {
  EXPECT_FALSE(CgroupParentFrom(
      "2:cpu:/\n", "30 23 0:26 /docker/1 /sys/fs/cgroup/cpu rw - cgroup c rw\n",
      "abc"));
  EXPECT_FALSE(CgroupParentFrom("", kHybridMounts, "abc"));
  EXPECT_FALSE(CgroupParentFrom("rubbish", "rubbish - ", "abc"));
}

}  // namespace
}  // namespace edgewise
