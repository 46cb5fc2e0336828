#include "stats/gates.h"

#include <gtest/gtest.h>

#include <vector>

#include "series.h"

namespace edgewise::stats {
namespace {

std::vector<double> FixedSeries() {
  std::vector<double> series(60);
  for (size_t i = 0; i < 60; ++i) {
    series[i] = static_cast<double>(i * 7919 % 101) / 10;
  }
  return series;
}

TEST(GatesTest, StatisticsMatchValuesWorkedOutByHand) {
  EXPECT_NEAR(LjungBox(FixedSeries(), 5).statistic, 66.17178104509091, 1e-9);
  EXPECT_NEAR(LjungBox(FixedSeries(), 5).critical, 11.070497693516351, 1e-8);
  EXPECT_NEAR(Kpss(FixedSeries()).statistic, 0.21254286508184891, 1e-12);
  EXPECT_EQ(Kpss(FixedSeries()).critical, 0.463);
  EXPECT_NEAR(AndersonDarling(std::vector<double>{0.05, 0.2, 0.3, 0.7, 0.95}),
              0.44338884089158714, 1e-12);
}

// The share of 1000 series that each gate refuses.
struct Refused {
  double independence = 0;
  double stationarity = 0;
};

Refused RefusedShare(double phi, double trend) {
  Random random(1);
  Refused refused;
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> series = AutoregressiveSeries(500, phi, &random);
    for (size_t i = 0; i < series.size(); ++i) {
      series[i] += trend * static_cast<double>(i) / 500;
    }
    refused.independence += LjungBox(series, 20).passed() ? 0 : 0.001;
    refused.stationarity += Kpss(series).passed() ? 0 : 0.001;
  }
  return refused;
}

TEST(GatesTest, GoodSeriesAreRefusedAtTheStatedLevel) {
  const Refused refused = RefusedShare(0, 0);
  EXPECT_NEAR(refused.independence, 0.05, 0.025);
  EXPECT_NEAR(refused.stationarity, 0.05, 0.025);
}

TEST(GatesTest, DependenceIsRefused) {
  EXPECT_GT(RefusedShare(0.5, 0).independence, 0.99);
}

TEST(GatesTest, ATrendIsRefused) {
  EXPECT_GT(RefusedShare(0, 2).stationarity, 0.99);
}

TEST(GatesTest, AConstantSeriesPasses) {
  const std::vector<double> constant(100, 0.1);
  EXPECT_TRUE(LjungBox(constant, 20).passed());
  EXPECT_TRUE(Kpss(constant).passed());
}

TEST(GatesTest, AndersonDarlingStaysFiniteAtTheEnds) {
  EXPECT_TRUE(std::isfinite(AndersonDarling(std::vector<double>{0, 0.5, 1})));
}

}  // namespace
}  // namespace edgewise::stats
