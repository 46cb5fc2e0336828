#include "control/goal.h"

#include <gtest/gtest.h>

namespace edgewise::control {
namespace {

TEST(GoalTest, RatesPercentilesAndValuesAreRead) {
  const auto fps = ParseGoal("fps >= 15");
  ASSERT_TRUE(fps);
  EXPECT_EQ(fps->kind, GoalKind::kRate);
  EXPECT_TRUE(fps->metric.empty());
  EXPECT_EQ(fps->bound, 15);
  const auto latency = ParseGoal(" p95( inference )<=900ms");
  ASSERT_TRUE(latency);
  EXPECT_EQ(latency->kind, GoalKind::kQuantile);
  EXPECT_EQ(latency->metric, "inference");
  EXPECT_EQ(latency->quantile, 0.95);
  EXPECT_EQ(latency->bound, 900e6);
  const auto rate = ParseGoal("rate(frame) >= 2.5");
  ASSERT_TRUE(rate);
  EXPECT_EQ(rate->metric, "frame");
  const auto value = ParseGoal("value(queue) <= 10");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->kind, GoalKind::kValue);
  EXPECT_FALSE(value->at_least);
}

TEST(GoalTest, NonsenseIsRefusedWithWhatToWrite) {
  for (const char* text :
       {"", "fps", "fps 15", "fps > 15", "fps >= fast", "fps >= 0", "fps <= 9",
        "p95 <= 3ms", "p95() <= 3ms", "p95(a) >= 3ms", "p95(a) <= soon",
        "p42(a) <= 3ms", "luck >= 1", "p95(a <= 3ms", "rate >= 3",
        "fps >= -1"}) {
    const auto goal = ParseGoal(text);
    ASSERT_FALSE(goal) << text;
    EXPECT_EQ(goal.error().code, ErrorCode::kInvalid);
    EXPECT_NE(goal.error().message.find("is no goal"), std::string::npos);
  }
}

TEST(GoalTest, TheRatioIsAboveOneWhereTheGoalIsMissed) {
  const Goal fps = *ParseGoal("fps >= 10");
  EXPECT_DOUBLE_EQ(MissRatio(fps, 5), 2);
  EXPECT_DOUBLE_EQ(MissRatio(fps, 20), 0.5);
  EXPECT_GT(MissRatio(fps, 0), 100);
  const Goal latency = *ParseGoal("p95(a) <= 100ms");
  EXPECT_DOUBLE_EQ(MissRatio(latency, 200e6), 2);
  EXPECT_EQ(FormatMeasured(latency, 200e6), "200 ms");
  EXPECT_EQ(FormatMeasured(fps, 12.34), "12.3 per s");
}

}  // namespace
}  // namespace edgewise::control
