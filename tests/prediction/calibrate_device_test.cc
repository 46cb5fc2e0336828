#include "prediction/calibrate_device.h"

#include <gmock/gmock.h>

#include <cmath>

#include "prediction/predict.h"
#include "prediction/small_fleet.h"
#include "prediction/train.h"

namespace edgewise {
namespace {

TEST(CalibrateDeviceTest, FiveNetworksPlaceADevice) {
  const LatencyData data = SmallFleet();
  LatencyData others = data;
  others.runs.resize(20);
  others.log_ms.conservativeResize(20, Eigen::NoChange);
  const auto model = FitModel(others);
  ASSERT_TRUE(model);
  std::map<std::string, double> ms;
  for (int n = 0; n < 5; ++n) {
    ms["net" + std::to_string(n)] = std::exp(data.log_ms(22, n));
  }
  const auto placed =
      CalibrateDevice(*model, "new board", data.runs[22].spec, ms);
  ASSERT_TRUE(placed);
  double calibrated = 0;
  double blind = 0;
  for (int n = 5; n < 14; ++n) {
    const auto query = QueryKnownNetwork(*model, "net" + std::to_string(n));
    ASSERT_TRUE(query);
    const double actual = std::exp(data.log_ms(22, n));
    calibrated +=
        std::abs(PredictOnRun(*model, *query, placed->run)->ms / actual - 1);
    blind += std::abs(
        PredictBySpec(*model, *query, "x", data.runs[22].spec)->ms / actual -
        1);
  }
  EXPECT_LT(calibrated / 9, 0.12);
  EXPECT_LT(calibrated, blind);
}

TEST(CalibrateDeviceTest, UnknownNetworksAreToldApart) {
  const auto model = FitModel(SmallFleet());
  ASSERT_TRUE(model);
  const auto placed =
      CalibrateDevice(*model, "d", {}, {{"net0", 3}, {"mystery", 4}});
  ASSERT_TRUE(placed);
  EXPECT_THAT(placed->used, testing::ElementsAre("net0"));
  EXPECT_THAT(placed->ignored, testing::ElementsAre("mystery"));
  EXPECT_FALSE(CalibrateDevice(*model, "d", {}, {{"mystery", 4}}));
}

TEST(CalibrateDeviceTest, ChecksLeaveTheirOwnMeasurementOut) {
  const auto model = FitModel(SmallFleet());
  ASSERT_TRUE(model);
  const std::map<std::string, double> ms = {
      {"net0", 3}, {"net1", 4}, {"mystery", 5}};
  const auto checks = CheckPlacement(*model, {}, ms, {});
  ASSERT_EQ(checks.size(), 2U);
  std::map<std::string, double> slower = ms;
  slower["net0"] *= 100;
  const auto again = CheckPlacement(*model, {}, slower, {});
  EXPECT_EQ(again[0].calibrated_ms, checks[0].calibrated_ms);
  EXPECT_GT(again[1].calibrated_ms, checks[1].calibrated_ms);
  EXPECT_EQ(again[1].by_spec_ms, checks[1].by_spec_ms);
  EXPECT_TRUE(CheckPlacement(*model, {}, {{"net0", 3}}, {}).empty());
}

TEST(CalibrateDeviceTest, ASlowerMemoryMovesTheRateOfReadingWeights) {
  const auto model = FitModel(SmallFleet());
  ASSERT_TRUE(model);
  const auto rate = [&](double megabytes_per_ms) {
    const auto placed = CalibrateDevice(*model, "d", {}, {{"net0", 3}},
                                        MicroKernelWork(10, megabytes_per_ms));
    return placed->run
        .log_rates[static_cast<Eigen::Index>(CostTerm::kDenseBytes)];
  };
  EXPECT_GT(rate(1), rate(10));
}

}  // namespace
}  // namespace edgewise
