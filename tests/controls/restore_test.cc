#include "controls/restore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "fake_clock.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;

TEST(RestoreTest, OnlyLimitsOfTheClockMayBeRestored) {
  for (const char* path :
       {"/sys/devices/system/cpu/cpufreq/policy0/scaling_min_freq",
        "/sys/devices/system/cpu/cpufreq/policy12/scaling_max_freq",
        "/sys/devices/system/cpu/cpu3/cpufreq/scaling_max_freq",
        "/tmp/a tree/cpufreq/scaling_min_freq"}) {
    EXPECT_TRUE(IsRestorable(path)) << path;
  }
  for (const char* path :
       {"", "/", "cpufreq/scaling_min_freq", "/etc/passwd", "/scaling_min_freq",
        "/sys/cpufreq/policy0/scaling_governor", "/cpufreq//scaling_min_freq",
        "/x/../cpufreq/scaling_min_freq", "/./cpufreq/scaling_min_freq",
        "/cpufreq/policy/scaling_min_freq", "/cpufreq/policy0",
        "/cpufreq/policy0x/scaling_min_freq", "/policy0/scaling_min_freq",
        "/cpufreq/policy0/scaling_min_freq/", "/cpufreq/scaling_min_freq2",
        "/x\ny/cpufreq/scaling_min_freq", "/xcpufreq/scaling_min_freq"}) {
    EXPECT_FALSE(IsRestorable(path)) << path;
  }
  const std::string deep = "/" + std::string(250, 'x');
  EXPECT_FALSE(IsRestorable((deep + "/cpufreq/scaling_min_freq").c_str()));
}

TEST(RestoreTest, ValuesAreReplacedWhole) {
  const FakeClock clock;
  const std::string file = clock.Policy(0) / "scaling_max_freq";
  EXPECT_EQ(ReadValue(file.c_str()), 1'500'000);
  EXPECT_EQ(WriteValue(file.c_str(), 600'000), 0);
  EXPECT_EQ(*ReadFile(file), "600000") << "nothing of the longer one stays";
}

TEST(RestoreTest, WhatIsNoNumberIsNoValue) {
  const FakeClock clock;
  const std::string file = clock.Policy(0) / "scaling_max_freq";
  for (const char* text :
       {"", "<unknown>", "-5", "12x", "0", "99999999999", "1 2"}) {
    clock.Write(0, "scaling_max_freq", text);
    EXPECT_EQ(ReadValue(file.c_str()), -1) << text;
  }
}

TEST(RestoreTest, AFileIsNeverMadeAndALinkNeverFollowed) {
  const FakeClock clock;
  const std::string file = clock.Policy(0) / "scaling_max_freq";
  std::filesystem::remove(file);
  EXPECT_EQ(WriteValue(file.c_str(), 1), ENOENT);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(RestoreValue(file.c_str(), 1), 0) << "gone with its change";
  clock.tree().Write("precious", "mine");
  std::filesystem::create_symlink(clock.root() / "precious", file);
  EXPECT_EQ(RestoreValue(file.c_str(), 1), ELOOP);
  EXPECT_EQ(*ReadFile(clock.root() / "precious"), "mine");
}

TEST(RestoreTest, WhatAnotherHoldsIsLeftAlone) {
  const FakeClock clock;
  const std::string file = clock.Policy(0) / "scaling_max_freq";
  const int lock = LockValue(file.c_str());
  ASSERT_GE(lock, 0);
  EXPECT_EQ(LockValue(file.c_str()), -EBUSY);
  EXPECT_EQ(RestoreValue(file.c_str(), 1'000'000), EBUSY);
  EXPECT_EQ(ReadValue(file.c_str()), 1'500'000);
  close(lock);
  EXPECT_EQ(RestoreValue(file.c_str(), 1'000'000), 0);
  EXPECT_EQ(ReadValue(file.c_str()), 1'000'000);
}

TEST(RestoreTest, ChangesAreUndoneBackwardsAndFailuresOnceMore) {
  std::vector<size_t> order;
  EXPECT_EQ(UndoBackwards(3,
                          [&](size_t i) {
                            order.push_back(i);
                            return order.size() == 2 ? EINVAL : 0;
                          }),
            0);
  EXPECT_THAT(order, ElementsAre(2, 1, 0, 2, 1, 0));
  EXPECT_EQ(UndoBackwards(2, [](size_t i) { return i == 0 ? EACCES : 0; }),
            EACCES);
}

}  // namespace
}  // namespace edgewise
