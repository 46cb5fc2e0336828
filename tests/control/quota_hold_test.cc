#include "control/quota_hold.h"

#include <gtest/gtest.h>

namespace edgewise::control {
namespace {

TEST(QuotaHoldTest, SmallChangesAreNotWorthIt) {
  QuotaHold hold;
  EXPECT_TRUE(hold.Update({0.5}, 0));
  EXPECT_FALSE(hold.Update({0.54}, kNsPerSecond));
  EXPECT_FALSE(hold.Update({0.4}, 100 * kNsPerSecond));
  EXPECT_EQ(hold.cores(), 0.5);
}

TEST(QuotaHoldTest, AMissedGoalIsAnsweredAtOnce) {
  QuotaHold hold;
  hold.Update({0.5}, 0);
  EXPECT_TRUE(hold.Update({0.54, true, true}, 3 * kNsPerSecond));
  EXPECT_EQ(hold.cores(), 0.54);
}

TEST(QuotaHoldTest, SoonAfterARaiseOnlyMuchMoreIsWorthAnother) {
  QuotaHold hold;
  hold.Update({0.5}, 0);
  hold.Update({0.6, true, true}, 3 * kNsPerSecond);
  EXPECT_FALSE(hold.Update({0.65, true, true}, 4 * kNsPerSecond));
  EXPECT_TRUE(hold.Update({0.75, true, true}, 4 * kNsPerSecond));
}

TEST(QuotaHoldTest, MoreMustBeWishedForAWhileWhereNothingIsMissed) {
  QuotaHold hold;
  hold.Update({0.5}, 0);
  EXPECT_FALSE(hold.Update({0.9}, 1 * kNsPerSecond));
  EXPECT_FALSE(hold.Update({0.5}, 2 * kNsPerSecond));
  EXPECT_FALSE(hold.Update({0.9}, 3 * kNsPerSecond));
  EXPECT_FALSE(hold.Update({0.8}, 4 * kNsPerSecond));
  EXPECT_TRUE(hold.Update({0.9}, 6 * kNsPerSecond));
  EXPECT_EQ(hold.cores(), 0.8);
}

TEST(QuotaHoldTest, LessMustDoForAWhileUnlessOthersNeedIt) {
  QuotaHold hold;
  hold.Update({1}, 0);
  for (int second = 1; second < 20; ++second) {
    EXPECT_FALSE(hold.Update({second == 5 ? 0.6 : 0.5}, second * kNsPerSecond));
  }
  EXPECT_TRUE(hold.Update({0.5}, 21 * kNsPerSecond));
  EXPECT_EQ(hold.cores(), 0.6);  // the most that it needed meanwhile
  EXPECT_TRUE(hold.Update({0.4, true, false, true}, 22 * kNsPerSecond));
}

TEST(QuotaHoldTest, LeftoversGrowSeldom) {
  QuotaHold hold;
  hold.Update({0.5, false}, 0);
  EXPECT_FALSE(hold.Update({1, false}, 50 * kNsPerSecond));
  EXPECT_TRUE(hold.Update({1, false}, 60 * kNsPerSecond));
}

}  // namespace
}  // namespace edgewise::control
