#include "history/together.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

constexpr double kMiB = 1024.0 * 1024;

Node ANode() {
  Node node;
  node.name = "pi";
  node.fingerprint = "f1";
  node.cores = 2;
  node.memory_bytes = 1000 * kMiB;
  return node;
}

AppNeed AnApp(const std::string& name) {
  AppNeed need;
  need.app = name;
  need.fingerprint = "f1";
  need.cpu_cores = 0.8;
  need.memory_bytes = 300 * kMiB;
  need.gpu_memory_bytes = 0;
  need.gpu_bandwidth_gbs = 0;
  need.deadline_ms = 100;
  need.alone_ms = 50;
  need.alone_is = "wcet_ms";
  need.contended_ratio = 1.5;
  return need;
}

TEST(TogetherTest, FitsWhereAllIsKnownAndEnough) {
  const Together together = CheckTogether(ANode(), {AnApp("a"), AnApp("b")});
  EXPECT_EQ(together.fits, Fits::kYes);
  ASSERT_EQ(together.resources.size(), 2u);  // no word of a GPU
  EXPECT_DOUBLE_EQ(*together.goals.front().expected_ms, 75);
}

TEST(TogetherTest, ThirdAppIsOneTooMany) {
  const Together together =
      CheckTogether(ANode(), {AnApp("a"), AnApp("b"), AnApp("c")});
  EXPECT_EQ(together.fits, Fits::kNo);
  EXPECT_EQ(together.resources[0].fits, Fits::kNo);
  EXPECT_EQ(together.resources[1].fits, Fits::kYes);
}

TEST(TogetherTest, WhatTheSystemKeepsIsNotThere) {
  Node node = ANode();
  node.reserved_memory_bytes = 500 * kMiB;
  const Together together = CheckTogether(node, {AnApp("a"), AnApp("b")});
  EXPECT_EQ(together.resources[1].fits, Fits::kNo);
}

TEST(TogetherTest, UnknownIsNeitherYesNorNo) {
  AppNeed silent = AnApp("b");
  silent.memory_bytes.reset();
  const Together together = CheckTogether(ANode(), {AnApp("a"), silent});
  EXPECT_EQ(together.resources[1].fits, Fits::kNotKnown);
  EXPECT_NE(together.resources[1].sentence.find("not known of b"),
            std::string::npos);
  EXPECT_EQ(together.fits, Fits::kNotKnown);
}

TEST(TogetherTest, KnownExcessIsNoWhateverElseIsUnknown) {
  AppNeed silent = AnApp("b");
  silent.memory_bytes.reset();
  AppNeed large = AnApp("a");
  large.memory_bytes = 2000 * kMiB;
  EXPECT_EQ(CheckTogether(ANode(), {large, silent}).fits, Fits::kNo);
}

TEST(TogetherTest, SlowDownMayBreakAGoalThatHoldsAlone) {
  AppNeed tight = AnApp("a");
  tight.deadline_ms = 60;
  const Together alone = CheckTogether(ANode(), {tight});
  EXPECT_EQ(alone.fits, Fits::kYes);
  const Together together = CheckTogether(ANode(), {tight, AnApp("b")});
  EXPECT_EQ(together.goals[0].fits, Fits::kNo);
  EXPECT_EQ(together.goals[1].fits, Fits::kYes);
}

TEST(TogetherTest, CurvesAreUsedWhereAllHaveThem) {
  AppNeed a = AnApp("a");
  AppNeed b = AnApp("b");
  a.sensitivity.emplace();
  a.sensitivity->cpu = SensitivityCurve({{50, 3.0}, {100, 4.0}});
  b.pressure.emplace();
  b.pressure->cpu_percent = 50;
  const Together together = CheckTogether(ANode(), {a, b});
  EXPECT_EQ(together.goals[0].slow_down_from, "curves");
  EXPECT_NEAR(*together.goals[0].slow_down, 3.0, 0.01);
  EXPECT_EQ(together.goals[0].fits, Fits::kNo);
}

TEST(TogetherTest, GpuIsAskedOfTheNode) {
  AppNeed gpu = AnApp("a");
  gpu.gpu_memory_bytes = 100 * kMiB;
  gpu.gpu_bandwidth_gbs = 10;
  const Together unknown = CheckTogether(ANode(), {gpu});
  ASSERT_EQ(unknown.resources.size(), 4u);
  EXPECT_EQ(unknown.resources[2].fits, Fits::kNotKnown);
  Node node = ANode();
  node.gpu_memory_bytes = 50 * kMiB;
  EXPECT_EQ(CheckTogether(node, {gpu}).fits, Fits::kNo);
}

TEST(TogetherTest, CurvesAreReadFromWhatContendPrints) {
  const auto curves = ReadCurves(
      R"({"cores": 2, "apps": [{"name": "a", "pressure_percent":
          {"cpu": 40, "cache": 10, "bandwidth": 5}}],
          "slow_downs": [{"app": "a", "beside": ["cpu:50"],
          "p50_slow_down": {"ratio": 1.4}}]})",
      "x.json");
  ASSERT_TRUE(curves) << curves.error().message;
  ASSERT_EQ(curves->size(), 1u);
  EXPECT_EQ(curves->front().pressure->cpu_percent, 40);
  ASSERT_TRUE(curves->front().sensitivity);
  EXPECT_GT(curves->front().sensitivity->cpu.At(50), 1.3);
  for (const char* bad : {"", "[]", "{}", "{\"apps\": 3, \"cores\": 2}"}) {
    EXPECT_FALSE(ReadCurves(bad, "x.json")) << bad;
  }
}

}  // namespace
}  // namespace edgewise
