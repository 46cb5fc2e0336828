#include "control/goals.h"

#include <gtest/gtest.h>

namespace edgewise::control {
namespace {

constexpr char kExample[] = R"(apps:
  car-tracker: {goal: "fps >= 15", weight: 3, min: {cpu: 200m}, max: {cpu: 2000m}}
  anomaly:     {goal: "p95(inference) <= 900ms", knobs: {stride: [1, 2, 4, 8]}}
node: {reserve: {cpu: 10%, memory: 256Mi}, thermal_limit: 80C}
)";

TEST(GoalsTest, TheExampleOfTheManualIsRead) {
  const auto goals = ReadGoals(kExample, "goals.yaml");
  ASSERT_TRUE(goals) << goals.error().message;
  const AppGoal* tracker = goals->Find("car-tracker", "0");
  ASSERT_NE(tracker, nullptr);
  EXPECT_EQ(tracker->goal->bound, 15);
  EXPECT_EQ(tracker->weight, 3);
  EXPECT_DOUBLE_EQ(*tracker->min_cpu_cores, 0.2);
  EXPECT_DOUBLE_EQ(*tracker->max_cpu_cores, 2);
  const AppGoal* anomaly = goals->Find("anomaly", "7");
  ASSERT_NE(anomaly, nullptr);
  ASSERT_EQ(anomaly->knobs.size(), 1U);
  EXPECT_EQ(anomaly->knobs[0].values, (std::vector<double>{1, 2, 4, 8}));
  EXPECT_DOUBLE_EQ(goals->node.reserve_cpu_share, 0.1);
  EXPECT_EQ(goals->node.reserve_memory_bytes, 256 << 20);
  EXPECT_EQ(goals->node.thermal_limit_c, 80);
  EXPECT_EQ(goals->Find("another", "0"), nullptr);
}

TEST(GoalsTest, AnInstanceComesBeforeItsNameAndTheStarLast) {
  const auto goals = ReadGoals(
      "apps: {a: {weight: 1}, a/1: {weight: 2, cpus: 0-1}, '*': {weight: 3}}",
      "goals.yaml");
  ASSERT_TRUE(goals) << goals.error().message;
  EXPECT_EQ(goals->Find("a", "0")->weight, 1);
  EXPECT_EQ(goals->Find("a", "1")->weight, 2);
  EXPECT_EQ(goals->Find("a", "1")->cpus, (std::vector<int>{0, 1}));
  EXPECT_EQ(goals->Find("b", "0")->weight, 3);
}

TEST(GoalsTest, WhatIsWrongIsNamedWithItsLine) {
  const struct {
    const char* yaml;
    const char* said;
  } cases[] = {
      {"apps: {a: {gaol: \"fps >= 1\"}}", "did you mean `goal`"},
      {"apps:\n  a: {goal: \"fps > 1\"}", "goals.yaml:2:"},
      {"apps: {a: {weight: 0}}", "weight"},
      {"apps: {a: {min: {cpu: 2}, max: {cpu: 1}}}", "more cpu than"},
      {"apps: {a: {min: {cpus: 2}}}", "no key `cpus`"},
      {"apps: {a: {min: {memory: 2Mi}, max: {memory: 1Mi}}}", "more memory"},
      {"apps: {a: {knobs: {stride: [1]}}}", "different values"},
      {"apps: {a: {knobs: {stride: [1, 1]}}}", "different values"},
      {"apps: {a: {knobs: {stride: [1, x]}}}", "must be a number"},
      {"apps: {a: {}}\nnode: {reserve: {cpu: 1}}", "from 0% to 90%"},
      {"apps: {a: {}}\nnode: {thermal_limit: 80}", "such as 80C"},
      {"apps: {}", "no `apps`"},
      {"node: {}", "no `apps`"},
      {"apps: [a]", "list of `name"},
      {"apps: {a: {}, a: {}}", "there twice"},
      {"[", "goals.yaml"},
  };
  for (const auto& each : cases) {
    const auto goals = ReadGoals(each.yaml, "goals.yaml");
    ASSERT_FALSE(goals) << each.yaml;
    EXPECT_NE(goals.error().message.find(each.said), std::string::npos)
        << each.yaml << ": " << goals.error().message;
  }
}

}  // namespace
}  // namespace edgewise::control
