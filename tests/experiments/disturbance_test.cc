#include "experiments/disturbance.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

RunAnalysis WithOthers(double mean_percent) {
  RunAnalysis analysis;
  SeriesAnalysis others;
  others.name = "cpu_of_others";
  others.mean = mean_percent;
  analysis.series.push_back(others);
  return analysis;
}

Run TenSeconds() {
  Run run;
  run.totals.wall_s = 10;
  return run;
}

TEST(DisturbanceTest, AQuietMachineIsUndisturbed) {
  edgewise::Run run = TenSeconds();
  run.totals.steal_s = 0.01;
  run.totals.psi_io_some_s = 0.5;
  const auto judged = JudgeDisturbance(run, WithOthers(3), {});
  EXPECT_FALSE(judged.disturbed());
  EXPECT_EQ(judged.reason, "");
}

TEST(DisturbanceTest, TheWorstIsNamed) {
  edgewise::Run run = TenSeconds();
  run.totals.steal_s = 0.3;  // 3% of a core against 2
  const auto by_others = JudgeDisturbance(run, WithOthers(34), {});
  EXPECT_TRUE(by_others.disturbed());
  EXPECT_EQ(by_others.reason, "other programs used 34% of a core");
  const auto by_steal = JudgeDisturbance(run, WithOthers(11), {});
  EXPECT_EQ(by_steal.reason, "the hypervisor took 3% of a core");
  run.totals.psi_memory_some_s = 5;
  EXPECT_EQ(JudgeDisturbance(run, WithOthers(0), {}).reason,
            "programs waited for memory 50% of the time");
}

TEST(DisturbanceTest, WhatIsNotKnownDoesNotDisturb) {
  EXPECT_FALSE(
      JudgeDisturbance(edgewise::Run(), RunAnalysis(), {}).disturbed());
}

TEST(DisturbanceTest, ALimitOfZeroIsNoLimit) {
  DisturbanceLimits limits;
  limits.others_percent = 0;
  EXPECT_FALSE(
      JudgeDisturbance(TenSeconds(), WithOthers(100), limits).disturbed());
}

}  // namespace
}  // namespace edgewise
