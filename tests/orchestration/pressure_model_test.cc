#include "orchestration/pressure_model.h"

#include <gtest/gtest.h>

namespace edgewise::orchestration {
namespace {

TEST(PressureModelTest, ResponseNeverFallsWithPressureOrQuantile) {
  const PressureModel model(AssumedPressures());
  for (size_t app = 0; app < model.AppNames().size(); ++app) {
    const Load load{app, 2, 3};
    double before = 0;
    for (double pressure = 0; pressure <= 1.5; pressure += 0.05) {
      const auto p75 = model.Predict(load, 1, pressure, 0.75, 0.9);
      const auto p95 = model.Predict(load, 1, pressure, 0.95, 0.9);
      if (!p95) {
        break;
      }
      EXPECT_GE(p95->estimate_ns, before);
      EXPECT_GE(p95->estimate_ns, p75->estimate_ns);
      EXPECT_GE(p95->high_ns, p95->estimate_ns);
      EXPECT_LE(p95->low_ns, p95->estimate_ns);
      before = p95->estimate_ns;
    }
    EXPECT_GT(before, 0);
  }
}

TEST(PressureModelTest, BeyondWhatIsKnownThereIsNoPrediction) {
  const PressureModel model(AssumedPressures());
  EXPECT_FALSE(model.Predict({0, 1, 1}, 0, 1.6, 0.95, 0.9));
  EXPECT_FALSE(model.Predict({0, 1, 1000}, 0, 0, 0.95, 0.9));  // queue grows
}

TEST(PressureModelTest, PressuresAddUpAndWeakerServersFeelMore) {
  const PressureModel model(AssumedPressures());
  const double one = model.Felt(0, {4, 1, 2}, 0);
  EXPECT_NEAR(model.Felt(0, {4, 3, 2}, 0), 3 * one, 1e-12);
  EXPECT_GT(model.Felt(0, {4, 1, 2}, 1), one);
  EXPECT_FALSE(model.KnowsRank(2));
}

TEST(PressureModelTest, WrittenFiguresAreReadBack) {
  const std::string yaml = WritePressures(AssumedPressures());
  const auto read = ReadPressures(yaml, "pressures.yaml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(WritePressures(*read), yaml);
}

TEST(PressureModelTest, WhatTheSimulatorAsksForIsReadBackToo) {
  PressureFigures figures = AssumedPressures();
  figures.slice_ms = 0.5;
  figures.apps[1].cpu_ms = 7.5;
  figures.apps[1].warm = 0.8;
  const auto read = ReadPressures(WritePressures(figures), "pressures.yaml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->slice_ms, 0.5);
  EXPECT_EQ(read->apps[0].cpu_ms, std::nullopt);
  EXPECT_EQ(read->apps[1].cpu_ms, 7.5);
  EXPECT_EQ(read->apps[1].warm, 0.8);
}

TEST(PressureModelTest, CurvesThatFallAreRefusedByLine) {
  const auto read = ReadPressures(
      "resources: [cpu]\nranks: [{rank: 0}]\napps:\n"
      "  - {name: a, service_ms: 5, slow_down: [[0, 1], [1, 3], [2, 2]]}\n",
      "p.yaml");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("p.yaml:4"), std::string::npos)
      << read.error().message;
  EXPECT_NE(read.error().message.find("rises"), std::string::npos);
}

}  // namespace
}  // namespace edgewise::orchestration
