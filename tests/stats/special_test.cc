#include "stats/special.h"

#include <gtest/gtest.h>

#include <cmath>

namespace edgewise::stats {
namespace {

TEST(SpecialTest, NormalQuantileMatchesTables) {
  EXPECT_NEAR(NormalQuantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(NormalQuantile(0.5), 0, 1e-15);
  EXPECT_NEAR(NormalQuantile(0.001), -3.090232306167813, 1e-11);
  EXPECT_NEAR(NormalQuantile(1e-12), -7.034483825301131, 1e-8);
}

TEST(SpecialTest, NormalQuantileInvertsTheDistributionFunction) {
  for (double p = 0.0005; p < 1; p += 0.0101) {
    EXPECT_NEAR(NormalCdf(NormalQuantile(p)), p, 1e-13) << p;
  }
}

TEST(SpecialTest, StudentQuantileMatchesTables) {
  EXPECT_NEAR(StudentTQuantile(0.975, 1), 12.706204736174705, 1e-8);
  EXPECT_NEAR(StudentTQuantile(0.975, 4), 2.7764451051977987, 1e-9);
  EXPECT_NEAR(StudentTQuantile(0.975, 9), 2.2621571627409915, 1e-9);
  EXPECT_NEAR(StudentTQuantile(0.025, 9), -2.2621571627409915, 1e-9);
}

TEST(SpecialTest, StudentTendsToNormalWithManyDegrees) {
  EXPECT_NEAR(StudentTQuantile(0.975, 1e8), NormalQuantile(0.975), 1e-6);
}

TEST(SpecialTest, ChiSquareQuantileMatchesTables) {
  EXPECT_NEAR(ChiSquareQuantile(0.95, 1), 3.841458820694124, 1e-9);
  EXPECT_NEAR(ChiSquareQuantile(0.95, 20), 31.410432844230918, 1e-8);
  EXPECT_NEAR(ChiSquareQuantile(0.5, 2), 2 * std::log(2), 1e-10);
}

TEST(SpecialTest, IncompleteBetaHasClosedFormsAndSymmetry) {
  EXPECT_NEAR(IncompleteBeta(1, 3, 0.2), 1 - std::pow(0.8, 3), 1e-14);
  EXPECT_NEAR(IncompleteBeta(2.5, 7, 0.3) + IncompleteBeta(7, 2.5, 0.7), 1,
              1e-13);
  EXPECT_EQ(IncompleteBeta(2, 3, 0), 0);
  EXPECT_EQ(IncompleteBeta(2, 3, 1), 1);
}

TEST(SpecialTest, IncompleteGammaOfOneIsTheExponentialDistribution) {
  for (const double x : {0.1, 1.0, 1.9, 2.1, 10.0}) {
    EXPECT_NEAR(IncompleteGamma(1, x), 1 - std::exp(-x), 1e-14);
  }
}

}  // namespace
}  // namespace edgewise::stats
