#include "tenants/survival.h"

#include <gtest/gtest.h>

namespace edgewise::tenants {
namespace {

TEST(SurvivalCurveTest, WithoutCensoringQuantilesAreOrderStatistics) {
  std::vector<Duration> durations;
  for (int i = 100; i >= 1; --i) {
    durations.push_back({static_cast<double>(i), false});
  }
  const SurvivalCurve curve(durations);
  EXPECT_EQ(curve.Quantile(0.5, 1), 50);
  EXPECT_EQ(curve.Quantile(0.75, 1), 75);
  EXPECT_EQ(curve.Quantile(0.95, 1), 95);
  EXPECT_EQ(curve.Quantile(0.99, 1), 99);
  EXPECT_DOUBLE_EQ(curve.Mean(1).value(), 50.5);
}

// Miller (1981): remission of leukaemia, of which some are censored.
TEST(SurvivalCurveTest, AgreesWithAWorkedExample) {
  const SurvivalCurve curve({{9, false},
                             {13, false},
                             {13, true},
                             {18, false},
                             {23, false},
                             {28, true},
                             {31, false},
                             {34, false},
                             {45, true},
                             {48, false},
                             {161, true}});
  // 1 - 10/11, 9/11, ... : 0.909, 0.818, 0.716, 0.614, 0.491, 0.368, 0.184.
  EXPECT_EQ(curve.Quantile(0.09, 1), 9);
  EXPECT_EQ(curve.Quantile(0.25, 1), 18);
  EXPECT_EQ(curve.Quantile(0.5, 1), 31);
  EXPECT_EQ(curve.Quantile(0.8, 1), 48);
  EXPECT_FALSE(curve.Quantile(0.95, 1));
  EXPECT_FALSE(curve.Mean(1));
}

TEST(SurvivalCurveTest, WhatIsCensoredCountsAsLongerNotAsItsAge) {
  std::vector<Duration> durations(90, {1, false});
  durations.insert(durations.end(), 10, {0.5, true});
  // Seen for half the time only: they say nothing about who takes longer.
  EXPECT_EQ(SurvivalCurve(durations).Quantile(0.95, 1), 1);
  durations.erase(durations.begin() + 90, durations.end());
  durations.insert(durations.end(), 10, {2, true});
  EXPECT_FALSE(SurvivalCurve(durations).Quantile(0.95, 1));
}

TEST(SurvivalCurveTest, TooFewSayNothing) {
  const SurvivalCurve curve({{1, false}, {2, false}});
  EXPECT_FALSE(curve.Quantile(0.5, 5));
  EXPECT_FALSE(curve.Mean(3));
  EXPECT_TRUE(curve.Mean(2));
  EXPECT_FALSE(SurvivalCurve({}).Quantile(0.5, 0));
  EXPECT_FALSE(SurvivalCurve({}).Mean(0));
}

}  // namespace
}  // namespace edgewise::tenants
