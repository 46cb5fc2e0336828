#include "experiments/pair_prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

SlowDown Slow(const std::string& actor, const std::string& beside,
              double ratio) {
  SlowDown slow_down{actor, {beside}, {}, {}, {}, {ratio}, {}};
  slow_down.p50.ratio = ratio;
  return slow_down;
}

TEST(SensitivityCurveTest, IsLinearBetweenPointsAndFlatBeyond) {
  const SensitivityCurve curve({{100, 2}, {50, 1.5}});
  EXPECT_DOUBLE_EQ(curve.At(0), 1);
  EXPECT_DOUBLE_EQ(curve.At(25), 1.25);
  EXPECT_DOUBLE_EQ(curve.At(75), 1.75);
  EXPECT_DOUBLE_EQ(curve.At(200), 2);
}

TEST(SensitivityCurveTest, PointsThatFallAreAveraged) {
  const SensitivityCurve curve({{25, 1.2}, {50, 1.6}, {100, 1.4}});
  EXPECT_THAT(curve.points(), ElementsAre(Pair(0, 1), Pair(25, 1.2),
                                          Pair(50, 1.5), Pair(100, 1.5)));
}

TEST(SensitivityCurveTest, FasterThanAloneIsNoise) {
  const SensitivityCurve curve({{50, 0.9}, {100, 0.95}});
  EXPECT_DOUBLE_EQ(curve.At(100), 1);
  EXPECT_DOUBLE_EQ(curve.DialFor(1.2), 100);
}

TEST(SensitivityCurveTest, DialForIsTheInverse) {
  const SensitivityCurve curve({{50, 1.5}, {100, 1.5}});
  EXPECT_DOUBLE_EQ(curve.DialFor(1.25), 25);
  EXPECT_DOUBLE_EQ(curve.DialFor(1.5), 50);
  EXPECT_DOUBLE_EQ(curve.DialFor(1), 0);
  EXPECT_DOUBLE_EQ(curve.DialFor(0.5), 0);
  EXPECT_DOUBLE_EQ(curve.DialFor(3), 100);
}

TEST(SensitivityCurveTest, WithoutPointsNothingIsSuffered) {
  const SensitivityCurve curve;
  EXPECT_DOUBLE_EQ(curve.At(80), 1);
  EXPECT_DOUBLE_EQ(curve.DialFor(2), 0);
}

// On one core: whoever is beside takes half of it. "hungry" also suffers from
// bandwidth, "calm" does not; only "streamer" presses on it.
std::vector<SlowDown> Measured() {
  std::vector<SlowDown> all;
  for (const char* each :
       {"hungry", "calm", "probe:cache", "probe:bandwidth"}) {
    all.push_back(Slow(each, "cpu:100", 2));
    all.push_back(Slow(each, "cache:100", 2));
  }
  for (const char* each : {"hungry", "probe:bandwidth"}) {
    all.push_back(Slow(each, "bandwidth:100", 3));
  }
  all.push_back(Slow("calm", "bandwidth:100", 2));
  all.push_back(Slow("probe:cache", "streamer", 2));
  all.push_back(Slow("probe:bandwidth", "streamer", 2.5));
  all.push_back(Slow("probe:cache", "calm", 2));
  all.push_back(Slow("probe:bandwidth", "calm", 2));
  return all;
}

TEST(PairPredictionTest, PressureIsWhatAProbeFeelsBeyondTheCpu) {
  const auto calm = PressureOf(Measured(), "calm", 1.0, 1);
  ASSERT_TRUE(calm);
  EXPECT_DOUBLE_EQ(calm->cpu_percent, 100);
  EXPECT_DOUBLE_EQ(calm->dial_percent[0], 0);
  EXPECT_DOUBLE_EQ(calm->dial_percent[1], 0);
  const auto streamer = PressureOf(Measured(), "streamer", 1.0, 1);
  ASSERT_TRUE(streamer);
  // 2.5 lies halfway from 2, the CPU alone, to 3.
  EXPECT_DOUBLE_EQ(streamer->dial_percent[1], 50);
}

TEST(PairPredictionTest, CpuIsNotCountedTwice) {
  const Sensitivity hungry = SensitivityOf(Measured(), "hungry", 1);
  const Sensitivity calm = SensitivityOf(Measured(), "calm", 1);
  const auto streamer = PressureOf(Measured(), "streamer", 1.0, 1);
  ASSERT_TRUE(streamer);
  EXPECT_DOUBLE_EQ(Predict(hungry, *streamer), 2.5);
  EXPECT_DOUBLE_EQ(Predict(calm, *streamer), 2);
}

TEST(PairPredictionTest, AProbeThatFeelsNothingSaysNothing) {
  std::vector<SlowDown> all{Slow("probe:cache", "cpu:100", 1),
                            Slow("probe:cache", "cache:100", 1.02),
                            Slow("probe:cache", "app", 1.3)};
  const auto pressure = PressureOf(all, "app", 1.0, 2);
  ASSERT_TRUE(pressure);
  EXPECT_DOUBLE_EQ(pressure->dial_percent[0], 0);
}

TEST(PairPredictionTest, WithoutAnAppsCpuTimeThereIsNoPressure) {
  EXPECT_FALSE(PressureOf(Measured(), "calm", std::nullopt, 1));
}

TEST(PairPredictionTest, WhatStressorsTakeOfTheCpuIsKnown) {
  EXPECT_DOUBLE_EQ(CpuPercentOf({StressKind::kCpu, 30}, 4), 30);
  EXPECT_DOUBLE_EQ(CpuPercentOf({StressKind::kCache, 30}, 4), 25);
  EXPECT_DOUBLE_EQ(CpuPercentOf({StressKind::kCache, 0}, 4), 0);
  EXPECT_DOUBLE_EQ(CpuPercentOf({StressKind::kBandwidth, 50}, 4), 12.5);
}

std::vector<Sensitivity> NoSensitivity(size_t count) {
  return std::vector<Sensitivity>(count);
}

TEST(PredictionCheckTest, TheBarIsFifteenPercentOnAQuietMachine) {
  SlowDown pair = Slow("a", "a", 1.1);
  pair.p50_ratios = {1.10, 1.11, 1.10};
  const PredictionCheck good =
      CheckPredictions({pair}, {"a"}, NoSensitivity(1), {Pressure{}});
  EXPECT_DOUBLE_EQ(good.bar, kErrorBar);
  ASSERT_TRUE(good.median_error);
  EXPECT_NEAR(*good.median_error, 0.0909, 0.001);
  EXPECT_TRUE(good.passed);
  pair.p50.ratio = 1.3;
  EXPECT_FALSE(
      CheckPredictions({pair}, {"a"}, NoSensitivity(1), {Pressure{}}).passed);
}

TEST(PredictionCheckTest, NoiseRaisesTheBar) {
  SlowDown pair = Slow("a", "a", 1.25);
  pair.p50_ratios = {1.0, 1.5};
  const PredictionCheck check =
      CheckPredictions({pair}, {"a"}, NoSensitivity(1), {Pressure{}});
  EXPECT_DOUBLE_EQ(check.bar, 0.75);
  EXPECT_TRUE(check.passed);
}

TEST(PredictionCheckTest, NothingMeasuredIsNotAPass) {
  const PredictionCheck check = CheckPredictions(
      {}, {"a", "b"}, NoSensitivity(2), {Pressure{}, std::nullopt});
  EXPECT_THAT(check.pairs, SizeIs(4));
  EXPECT_FALSE(check.median_error);
  EXPECT_FALSE(check.passed);
}

}  // namespace
}  // namespace edgewise
