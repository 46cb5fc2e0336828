#include "prediction/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace edgewise {
namespace {

// Twelve devices and networks; `wrong` bends predictions of device 0.
std::vector<Forecast> Forecasts(double factor, double wrong = 1) {
  std::vector<Forecast> forecasts;
  for (size_t d = 0; d < 12; ++d) {
    for (size_t n = 0; n < 12; ++n) {
      const double actual = std::log(10.0 * static_cast<double>(d + 1));
      forecasts.push_back(
          {d, n, "d" + std::to_string(d), "n" + std::to_string(n), actual,
           actual + std::log(factor) + (d == 0 ? std::log(wrong) : 0)});
    }
  }
  return forecasts;
}

TEST(MetricsTest, ErrorsAreRelativeToTheMeasuredTime) {
  const Metrics metrics = Judge(Forecasts(1.15));
  EXPECT_NEAR(*metrics.median_ape, 0.15, 1e-9);
  EXPECT_NEAR(*metrics.mape, 0.15, 1e-9);
  EXPECT_EQ(*metrics.within_10, 0);
  EXPECT_EQ(*metrics.within_20, 1);
}

TEST(MetricsTest, ACommonFactorSpoilsNoPick) {
  const Metrics metrics = Judge(Forecasts(3));
  EXPECT_EQ(*metrics.fastest_of_3, 1);
  EXPECT_EQ(*metrics.regret, 0);
  EXPECT_NEAR(*metrics.rank_correlation, 1, 1e-12);
}

TEST(MetricsTest, AMisjudgedDeviceCostsPicks) {
  // The fastest device is taken for the slowest: whoever draws it loses, and
  // a quarter of all draws do.
  const Metrics metrics = Judge(Forecasts(1, 100));
  EXPECT_NEAR(*metrics.fastest_of_3, 0.75, 0.02);
  EXPECT_GT(*metrics.regret, 0.25);
  EXPECT_LT(*metrics.rank_correlation, 1);
}

TEST(MetricsTest, NothingIsKnownOfNoForecasts) {
  const Metrics metrics = Judge({});
  EXPECT_FALSE(metrics.mape);
  EXPECT_FALSE(metrics.fastest_of_3);
  EXPECT_FALSE(metrics.width);
}

}  // namespace
}  // namespace edgewise
