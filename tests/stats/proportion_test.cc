#include "stats/proportion.h"

#include <gtest/gtest.h>

#include <random>

namespace edgewise::stats {
namespace {

TEST(ProportionTest, WilsonAgreesWithThePublishedExample) {
  // Newcombe 1998, Statistics in Medicine 17:857, table I: 81 of 263.
  const Interval interval = WilsonInterval(81, 263);
  EXPECT_NEAR(interval.low, 0.2553, 5e-5);
  EXPECT_NEAR(interval.high, 0.3662, 5e-5);
}

TEST(ProportionTest, WilsonStaysWithinZeroAndOne) {
  EXPECT_EQ(WilsonInterval(0, 20).low, 0);
  EXPECT_NEAR(WilsonInterval(0, 20).high, 0.1611, 5e-5);
  EXPECT_EQ(WilsonInterval(20, 20).high, 1);
  EXPECT_NEAR(WilsonInterval(20, 20).low, 0.8389, 5e-5);
}

TEST(ProportionTest, TheDifferenceAgreesWithThePublishedExample) {
  // Newcombe 1998, Statistics in Medicine 17:873, table II, method 10:
  // 56/70 - 48/80 is 0.2, from 0.0524 to 0.3339.
  const Interval interval = ShareDifferenceInterval(48, 80, 56, 70);
  EXPECT_NEAR(interval.low, 0.0524, 5e-5);
  EXPECT_NEAR(interval.high, 0.3339, 5e-5);
}

TEST(ProportionTest, SwappingTheSidesMirrorsTheInterval) {
  const Interval one = ShareDifferenceInterval(3, 50, 20, 80);
  const Interval other = ShareDifferenceInterval(20, 80, 3, 50);
  EXPECT_DOUBLE_EQ(one.low, -other.high);
  EXPECT_DOUBLE_EQ(one.high, -other.low);
}

TEST(ProportionTest, EqualSharesHaveNoEvidence) {
  EXPECT_DOUBLE_EQ(ShareDifferencePValue(10, 100, 20, 200), 1);
  EXPECT_DOUBLE_EQ(ShareDifferencePValue(0, 100, 0, 200), 1);
  EXPECT_DOUBLE_EQ(ShareDifferencePValue(100, 100, 200, 200), 1);
}

TEST(ProportionTest, TheTestAgreesWithAChiSquareByHand) {
  // 15/50 and 30/50: z = 0.3 / sqrt(0.45 * 0.55 * 0.04) = 3.0151.
  EXPECT_NEAR(ShareDifferencePValue(15, 50, 30, 50), 0.002569, 1e-5);
}

TEST(ProportionTest, HolmMultipliesByWhatIsLeftAndNeverFalls) {
  const double p[] = {0.01, 0.04, 0.03, 0.005};
  const auto adjusted = HolmAdjusted(p);
  EXPECT_DOUBLE_EQ(adjusted[3], 0.02);
  EXPECT_DOUBLE_EQ(adjusted[0], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.06);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.06);
  EXPECT_TRUE(HolmAdjusted({}).empty());
}

TEST(ProportionTest, NineteenOfTwentyDifferencesCoverTheTruth) {
  std::mt19937_64 random(7);  // NOLINT: the same every time
  int covered = 0;
  constexpr int kTries = 2000;
  std::binomial_distribution<int> a(400, 0.05);
  std::binomial_distribution<int> b(600, 0.08);
  for (int i = 0; i < kTries; ++i) {
    const Interval interval =
        ShareDifferenceInterval(a(random), 400, b(random), 600);
    covered += interval.low <= 0.03 && 0.03 <= interval.high ? 1 : 0;
  }
  EXPECT_GT(covered, kTries * 93 / 100);
  EXPECT_LT(covered, kTries * 97 / 100);
}

}  // namespace
}  // namespace edgewise::stats
