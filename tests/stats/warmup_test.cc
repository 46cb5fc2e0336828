#include "stats/warmup.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "series.h"

namespace edgewise::stats {
namespace {

int FalseAlarms(size_t n, double sigma, double phi) {
  Random random(11);
  int alarms = 0;
  for (int trial = 0; trial < 500; ++trial) {
    alarms += WarmupCount(LognormalSeries(n, sigma, phi, &random)) > 0;
  }
  return alarms;
}

TEST(WarmupTest, SettledSeriesRarelyShowOne) {
  EXPECT_LE(FalseAlarms(200, 0.1, 0), 10);
  EXPECT_LE(FalseAlarms(200, 1, 0), 10);
  EXPECT_LE(FalseAlarms(1000, 0.5, 0.5), 10);
  EXPECT_LE(FalseAlarms(1000, 0.5, 0.9), 15);
}

TEST(WarmupTest, OneColdStartIsFound) {
  Random random(12);
  std::vector<double> series = LognormalSeries(200, 0.05, 0, &random);
  series[0] = 10;
  EXPECT_EQ(WarmupCount(series), 1u);
}

TEST(WarmupTest, ASlowFirstTenthIsFound) {
  Random random(13);
  std::vector<double> series = LognormalSeries(1000, 0.1, 0.3, &random);
  for (size_t i = 0; i < 100; ++i) series[i] *= 1.5;
  EXPECT_NEAR(static_cast<double>(WarmupCount(series)), 100, 10);
}

TEST(WarmupTest, AFastStartIsFoundAsWell) {
  Random random(14);
  std::vector<double> series = LognormalSeries(1000, 0.1, 0, &random);
  for (size_t i = 0; i < 50; ++i) series[i] *= 0.5;
  EXPECT_NEAR(static_cast<double>(WarmupCount(series)), 50, 5);
}

TEST(WarmupTest, ADecayIsCutWhereItDrownsInTheNoise) {
  Random random(15);
  std::vector<double> series = LognormalSeries(1000, 0.05, 0, &random);
  for (size_t i = 0; i < series.size(); ++i) {
    series[i] += 2 * std::exp(-static_cast<double>(i) / 30);
  }
  const size_t warmup = WarmupCount(series);
  EXPECT_GT(warmup, 60u);
  EXPECT_LT(warmup, 250u);
}

TEST(WarmupTest, NeverMoreThanHalf) {
  std::vector<double> series = Ranks(1000);
  EXPECT_LE(WarmupCount(series), 500u);
  for (size_t i = 0; i < 800; ++i) series[i] = 5000 + series[i] / 1000;
  EXPECT_LE(WarmupCount(series), 500u);
}

TEST(WarmupTest, ASpikeInTheMiddleIsNoWarmup) {
  Random random(16);
  std::vector<double> series = LognormalSeries(500, 0.05, 0, &random);
  series[100] = 1000;
  EXPECT_EQ(WarmupCount(series), 0u);
}

TEST(WarmupTest, ConstantSeries) {
  std::vector<double> series(100, 5.0);
  EXPECT_EQ(WarmupCount(series), 0u);
  series[0] = 9;
  series[1] = 8;
  EXPECT_EQ(WarmupCount(series), 2u);
}

TEST(WarmupTest, TooFewSamplesToTell) {
  std::vector<double> series(19, 1.0);
  series[0] = 100;
  EXPECT_EQ(WarmupCount(series), 0u);
  EXPECT_EQ(WarmupCount({}), 0u);
}

}  // namespace
}  // namespace edgewise::stats
