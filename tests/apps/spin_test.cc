#include <gtest/gtest.h>

#include "spin/spin_work.h"

namespace edgewise::apps {
namespace {

TEST(SpinTest, TheDirectWayEndsWhereTheSlowOneDoes) {
  for (const int64_t steps : {0, 1, 2, 3, 1000, 65537}) {
    EXPECT_EQ(Spin(42, steps), SpinDirectly(42, steps)) << steps;
  }
  EXPECT_NE(SpinDirectly(42, 1000), SpinDirectly(42, 1001));
}

TEST(SpinTest, TheChecksumDependsOnSeedAndItemsOnly) {
  const auto checksum = [](int64_t steps, int threads, uint64_t seed) {
    SpinWork work(steps, threads, seed);
    Checksum sum;
    for (int i = 0; i < 5; ++i) {
      EXPECT_TRUE(work.Fetch());
      EXPECT_TRUE(work.Process(sum));
    }
    return sum.value();
  };
  EXPECT_EQ(checksum(1000, 1, 1), checksum(77, 3, 1));
  EXPECT_NE(checksum(1000, 1, 1), checksum(1000, 1, 2));
}

TEST(SpinTest, AMessageIsANumber) {
  SpinWork work(10, 1, 1);
  EXPECT_TRUE(work.Take(" 12\n"));
  EXPECT_FALSE(work.Take("twelve"));
  EXPECT_FALSE(work.Take(""));
}

}  // namespace
}  // namespace edgewise::apps
