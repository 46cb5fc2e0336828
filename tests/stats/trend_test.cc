#include "stats/trend.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace edgewise::stats {
namespace {

TEST(TheilSenTrendTest, FindsALineExactly) {
  std::vector<TrendPoint> points;
  for (int i = 0; i < 20; ++i) {
    points.push_back({i * 2.0, 5 + i * 3.0});
  }
  const auto trend = TheilSenTrend(points);
  ASSERT_TRUE(trend);
  EXPECT_DOUBLE_EQ(trend->slope, 1.5);
  EXPECT_DOUBLE_EQ(trend->low, 1.5);
  EXPECT_DOUBLE_EQ(trend->high, 1.5);
}

TEST(TheilSenTrendTest, IsNotMovedByWildPoints) {
  std::vector<TrendPoint> points;
  for (int i = 0; i < 30; ++i) {
    points.push_back({static_cast<double>(i), i % 7 == 3 ? 1e6 : 2.0 * i});
  }
  const auto trend = TheilSenTrend(points);
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->slope, 2, 0.01);
}

TEST(TheilSenTrendTest, TheIntervalHoldsTheSlopeAsOftenAsItSays) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 1);
  int held = 0;
  constexpr int kTrials = 1000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<TrendPoint> points;
    for (int i = 0; i < 25; ++i) {
      points.push_back({static_cast<double>(i), 0.1 * i + noise(random)});
    }
    const auto trend = TheilSenTrend(points);
    ASSERT_TRUE(trend);
    held += trend->low <= 0.1 && 0.1 <= trend->high ? 1 : 0;
  }
  EXPECT_GE(held, 930);
  EXPECT_LE(held, 985);
}

TEST(TheilSenTrendTest, TooFewPointsOrOneMomentSayNothing) {
  EXPECT_FALSE(TheilSenTrend(std::vector<TrendPoint>(9, TrendPoint{1, 2})));
  EXPECT_FALSE(TheilSenTrend(std::vector<TrendPoint>(20, TrendPoint{1, 2})));
}

}  // namespace
}  // namespace edgewise::stats
