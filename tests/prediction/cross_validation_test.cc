#include "prediction/cross_validation.h"

#include <gtest/gtest.h>

#include "prediction/evaluate.h"
#include "prediction/small_fleet.h"

namespace edgewise {
namespace {

// As few as can be fitted: sanitizers make each fit slow.
constexpr int kNetworks = 11;
constexpr int kRuns = 8;

TEST(CrossValidationTest, EveryFigureIsForecastOnceWhileItsGroupIsHeldOut) {
  LatencyData data = SmallFleet(kNetworks, kRuns);
  // Two networks of one family: the int8 of net3.
  data.networks[4].name = "net3_int8";
  const auto held = CrossValidate(data);
  ASSERT_TRUE(held);
  EXPECT_EQ(held->new_network.size(), static_cast<size_t>(data.log_ms.size()));
  EXPECT_EQ(held->new_both.size(), static_cast<size_t>(data.log_ms.size()));
  for (const Forecast& forecast : held->new_network) {
    EXPECT_EQ(forecast.group, FamilyOf(data.networks[forecast.network].name));
  }
  for (const Forecast& forecast : held->new_device) {
    EXPECT_EQ(forecast.group, data.runs[forecast.run].device);
  }
  // The five networks that a device is told are not forecast.
  EXPECT_EQ(held->new_device.size(), data.runs.size() * (kNetworks - 5));
}

TEST(CrossValidationTest, AWildFigureDoesNotReachItsOwnForecast) {
  LatencyData data = SmallFleet(kNetworks, kRuns);
  const auto before = CrossValidate(data);
  for (Eigen::Index r = 0; r < data.log_ms.rows(); ++r) {
    data.log_ms(r, 6) += 3;
  }
  const auto after = CrossValidate(data);
  ASSERT_TRUE(before);
  ASSERT_TRUE(after);
  for (size_t i = 0; i < before->new_network.size(); ++i) {
    if (before->new_network[i].network == 6) {
      EXPECT_EQ(before->new_network[i].predicted_log_ms,
                after->new_network[i].predicted_log_ms);
    }
  }
}

TEST(CrossValidationTest, TheNoiseFloorIsWhatRepeatedRunsDifferBy) {
  LatencyData data = SmallFleet();
  EXPECT_EQ(FindNoiseFloor(data).pairs, 0);
  data.runs[1] = data.runs[0];
  data.log_ms.row(1) = data.log_ms.row(0).array() + std::log(1.2);
  const NoiseFloor floor = FindNoiseFloor(data);
  EXPECT_EQ(floor.pairs, 1);
  EXPECT_NEAR(*floor.between_runs, 1 - 1 / 1.2, 1e-9);
  EXPECT_NEAR(*floor.between_runs_levelled, 0, 1e-9);
}

}  // namespace
}  // namespace edgewise
