#include "stats/pareto.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "series.h"

namespace edgewise::stats {
namespace {

TEST(ParetoTest, ExcessInvertsTheDistributionFunction) {
  for (const double shape : {-0.5, -1e-12, 0.0, 1e-9, 0.3}) {
    const ParetoTail tail{shape, 2};
    for (const double exceedance : {1.0, 0.5, 0.01, 1e-6}) {
      EXPECT_NEAR(1 - tail.Cdf(tail.ExcessAt(exceedance)), exceedance, 1e-12);
    }
  }
}

TEST(ParetoTest, NoShapeIsExponential) {
  const ParetoTail tail{0, 3};
  EXPECT_NEAR(tail.Cdf(3), 1 - std::exp(-1), 1e-15);
  EXPECT_NEAR(tail.ExcessAt(1e-6), 3 * 6 * std::log(10), 1e-12);
}

TEST(ParetoTest, NegativeShapeEnds) {
  const ParetoTail tail{-0.5, 1};
  EXPECT_EQ(tail.Cdf(2), 1);
  EXPECT_EQ(tail.Cdf(5), 1);
  EXPECT_LE(tail.ExcessAt(1e-12), 2);
}

TEST(ParetoTest, FitFindsShapeAndScale) {
  for (const double shape : {-0.5, -0.2, 0.0, 0.3}) {
    Random random(3);
    const ParetoTail truth{shape, 2};
    std::vector<double> excesses(20'000);
    for (double& excess : excesses) excess = truth.ExcessAt(random.Uniform());
    std::sort(excesses.begin(), excesses.end());
    const auto fitted = FitParetoTail(excesses);
    ASSERT_TRUE(fitted.has_value());
    EXPECT_NEAR(fitted->shape, shape, 0.04);
    EXPECT_NEAR(fitted->scale, 2, 0.08);
    EXPECT_LT(fitted->Cdf(excesses.back()), 1);
  }
}

TEST(ParetoTest, EveryExcessLiesBelowTheFittedEndPoint) {
  Random random(4);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> excesses(60);
    for (double& excess : excesses) excess = random.Uniform();
    std::sort(excesses.begin(), excesses.end());
    const auto fitted = FitParetoTail(excesses);
    ASSERT_TRUE(fitted.has_value());
    EXPECT_LT(fitted->Cdf(excesses.back()), 1);
  }
}

TEST(ParetoTest, NothingToFit) {
  EXPECT_FALSE(FitParetoTail(std::vector<double>{1, 2}).has_value());
  EXPECT_FALSE(FitParetoTail(std::vector<double>{1, 1, 1, 1}).has_value());
}

}  // namespace
}  // namespace edgewise::stats
