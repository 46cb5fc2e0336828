#include "base/cgroups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;

constexpr char kHybridMounts[] =
    "24 1 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "25 24 0:23 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup "
    "rw,cpu,cpuacct\n"
    "26 24 0:24 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "27 24 0:25 / /sys/fs/cgroup/systemd rw - cgroup cgroup "
    "rw,xattr,name=systemd\n"
    "28 24 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

TEST(CgroupsTest, HybridHasBothTrees) {
  const CgroupLayout layout = ParseCgroups(
      "9:name=systemd:/\n4:memory:/jobs/a:b\n2:cpu,cpuacct:/\n0::/jobs\n",
      kHybridMounts, "/");
  ASSERT_TRUE(layout.unified);
  EXPECT_EQ(layout.unified->mount, "/sys/fs/cgroup/unified");
  EXPECT_EQ(layout.unified->own, "/sys/fs/cgroup/unified/jobs");
  EXPECT_EQ(layout.v1.at("memory"), "/sys/fs/cgroup/memory/jobs/a:b");
  EXPECT_EQ(layout.v1.at("name=systemd"), "/sys/fs/cgroup/systemd");
}

TEST(CgroupsTest, CoMountedControllersShareAFolder) {
  const CgroupLayout layout =
      ParseCgroups("2:cpu,cpuacct:/x\n", kHybridMounts, "/");
  EXPECT_EQ(layout.v1.at("cpu"), "/sys/fs/cgroup/cpu,cpuacct/x");
  EXPECT_EQ(layout.v1.at("cpuacct"), layout.v1.at("cpu"));
  EXPECT_FALSE(layout.unified);
}

TEST(CgroupsTest, PureV2HasNoV1) {
  const CgroupLayout layout = ParseCgroups(
      "0::/user.slice/session-1.scope\n",
      "28 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n",
      "/");
  ASSERT_TRUE(layout.unified);
  EXPECT_EQ(layout.unified->own, "/sys/fs/cgroup/user.slice/session-1.scope");
  EXPECT_TRUE(layout.v1.empty());
}

TEST(CgroupsTest, ABindMountedSubtreeIsFollowed) {
  // A container without a cgroup namespace sees host paths, and only its own
  // folder is mounted.
  const char mounts[] =
      "30 24 0:26 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup "
      "rw,memory\n";
  EXPECT_EQ(
      ParseCgroups("4:memory:/docker/abc/job\n", mounts, "/").v1.at("memory"),
      "/sys/fs/cgroup/memory/job");
  EXPECT_TRUE(
      ParseCgroups("4:memory:/docker/abcdef\n", mounts, "/").v1.empty());
  EXPECT_TRUE(ParseCgroups("4:memory:/other\n", mounts, "/").v1.empty());
}

TEST(CgroupsTest, FoldersOutsideTheNamespaceAreAbsent) {
  EXPECT_FALSE(ParseCgroups("0::/../outside\n", kHybridMounts, "/").unified);
  EXPECT_FALSE(
      ParseCgroups("0::/gone (deleted)\n", kHybridMounts, "/").unified);
}

TEST(CgroupsTest, EscapedMountPointsAreUnderstood) {
  const CgroupLayout layout = ParseCgroups(
      "0::/\n", "28 24 0:26 / /mnt/my\\040groups rw - cgroup2 none rw\n", "/");
  ASSERT_TRUE(layout.unified);
  EXPECT_EQ(layout.unified->mount, "/mnt/my groups");
}

TEST(CgroupsTest, NonsenseIsSkipped) {
  const CgroupLayout layout =
      ParseCgroups("\n::\nfoo\n1:cpu\n3:memory:relative\n",
                   "x - y\n - \n1 2 - cgroup\n", "/");
  EXPECT_FALSE(layout.unified);
  EXPECT_TRUE(layout.v1.empty());
}

// A root folder with a v2 tree and one process, 42.
class CgroupsOnDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (std::filesystem::temp_directory_path() / "cgroups-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    std::filesystem::create_directories(root_ / "proc/self");
    std::filesystem::create_directories(root_ / "proc/42");
    std::filesystem::create_directories(root_ / "sys/fs/cgroup");
    Write("proc/self/mountinfo",
          "28 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    Write("proc/42/cgroup", "0::/app.slice\n");
    Write("sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void Write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(WriteFile(root_ / name, text).ok());
  }
  std::filesystem::path root_;
};

TEST_F(CgroupsOnDiskTest, ControllersComeFromTheMount) {
  const auto layout = FindCgroups(root_, "42");
  ASSERT_TRUE(layout.ok()) << layout.error().message;
  ASSERT_TRUE(layout->unified);
  EXPECT_EQ(layout->unified->own, root_ / "sys/fs/cgroup/app.slice");
  EXPECT_THAT(layout->unified->controllers,
              ElementsAre("cpuset", "cpu", "io", "memory"));
}

TEST_F(CgroupsOnDiskTest, FoldersOfAProcessAreNamed) {
  const auto folders = CgroupFoldersOf("42", root_);
  ASSERT_TRUE(folders.ok());
  EXPECT_EQ(folders->unified, root_ / "sys/fs/cgroup/app.slice");
  EXPECT_TRUE(folders->memory.empty());
  EXPECT_FALSE(folders->empty());
}

TEST_F(CgroupsOnDiskTest, AProcessThatIsGoneIsNotFound) {
  const auto layout = FindCgroups(root_, "43");
  ASSERT_FALSE(layout.ok());
  EXPECT_EQ(layout.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace edgewise
