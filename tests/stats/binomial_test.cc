#include "stats/binomial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace edgewise::stats {
namespace {

// Expected values were summed with 60 decimal digits.
TEST(BinomialTest, CdfMatchesExactSums) {
  EXPECT_NEAR(BinomialCdf(995, 1000, 0.99), 0.971313600000995438, 1e-12);
  EXPECT_NEAR(BinomialCdf(39, 100, 0.5), 0.017600100108852408, 1e-14);
  EXPECT_NEAR(BinomialCdf(183, 200, 0.95), 0.023799459747172930, 1e-14);
  EXPECT_NEAR(BinomialCdf(99880, 100000, 0.999), 0.028167005850853798, 1e-13);
  EXPECT_NEAR(BinomialCdf(5, 30, 0.5), 0.000162457115948200, 1e-17);
}

TEST(BinomialTest, PmfSumsToOne) {
  for (const double p : {0.001, 0.3, 0.5, 0.99}) {
    double sum = 0;
    for (int k = 0; k <= 300; ++k) sum += BinomialPmf(k, 300, p);
    EXPECT_NEAR(sum, 1, 1e-12) << p;
  }
}

TEST(BinomialTest, IsExactForAHundredMillion) {
  // The middle term of Bin(n, 1/2) by Stirling's series, and the symmetry of
  // the distribution around it.
  const int64_t n = 100'000'000;
  const auto size = static_cast<double>(n);
  const double middle =
      std::sqrt(2 / (std::numbers::pi * size)) * (1 - 1 / (4 * size));
  EXPECT_NEAR(BinomialPmf(n / 2, n, 0.5) / middle, 1, 1e-11);
  EXPECT_NEAR(BinomialCdf(n / 2 - 1, n, 0.5), (1 - middle) / 2, 1e-11);
}

TEST(BinomialTest, OutsideTheRangeNothingOrEverything) {
  EXPECT_EQ(BinomialPmf(-1, 10, 0.5), 0);
  EXPECT_EQ(BinomialPmf(11, 10, 0.5), 0);
  EXPECT_EQ(BinomialCdf(-1, 10, 0.5), 0);
  EXPECT_EQ(BinomialCdf(10, 10, 0.5), 1);
}

TEST(BinomialTest, QuantileIsTheFirstThatReachesTheProbability) {
  for (const int64_t n : {1, 2, 10, 59, 1000, 12345}) {
    for (const double p : {0.01, 0.5, 0.95, 0.999}) {
      for (const double probability : {0.001, 0.025, 0.5, 0.975, 0.999}) {
        const int64_t k = BinomialQuantile(probability, n, p);
        EXPECT_GE(BinomialCdf(k, n, p), probability - 1e-12);
        if (k > 0) {
          EXPECT_LT(BinomialCdf(k - 1, n, p), probability);
        }
      }
    }
  }
}

}  // namespace
}  // namespace edgewise::stats
