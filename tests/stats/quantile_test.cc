#include "stats/quantile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "series.h"
#include "stats/autocorrelation.h"

namespace edgewise::stats {
namespace {

TEST(QuantileTest, SmallestSampleForAnUpperBound) {
  EXPECT_EQ(SmallestSampleForUpperBound(0.95, 0.95), 59);
  EXPECT_EQ(SmallestSampleForUpperBound(0.99, 0.95), 299);
  EXPECT_EQ(SmallestSampleForUpperBound(0.999, 0.95), 2995);
  EXPECT_EQ(SmallestSampleForUpperBound(0.95, 0.99), 90);
  EXPECT_EQ(SmallestSampleForUpperBound(0.99, 0.99), 459);
  EXPECT_EQ(SmallestSampleForUpperBound(0.999, 0.99), 4603);
}

TEST(QuantileTest, SmallestSampleForAnInterval) {
  EXPECT_EQ(SmallestSampleForInterval(0.95), 72);
  EXPECT_EQ(SmallestSampleForInterval(0.99), 368);
  EXPECT_EQ(SmallestSampleForInterval(0.999), 3688);
}

TEST(QuantileTest, UpperBoundExistsExactlyFromTheSmallestSample) {
  for (const double p : {0.95, 0.99, 0.999}) {
    for (const double confidence : {0.95, 0.99}) {
      const int64_t n = SmallestSampleForUpperBound(p, confidence);
      EXPECT_EQ(UpperBoundRank(n, p, confidence), n);
      EXPECT_EQ(UpperBoundRank(n - 1, p, confidence), std::nullopt);
    }
  }
}

TEST(QuantileTest, UpperBoundOfP99FromAThousand) {
  EXPECT_EQ(UpperBoundRank(1000, 0.99, 0.95), 996);
  EXPECT_EQ(QuantileUpperBound(Ranks(1000), 0.99, 0.95), 996.0);
  EXPECT_EQ(QuantileUpperBound(Ranks(298), 0.99, 0.95), std::nullopt);
}

TEST(QuantileTest, TwoSidedRanks) {
  const QuantileRanks p50 = IntervalRanks(100, 0.5);
  EXPECT_EQ(p50.low, 40);
  EXPECT_EQ(p50.high, 61);
  const QuantileRanks p95 = IntervalRanks(200, 0.95);
  EXPECT_EQ(p95.low, 184);
  EXPECT_EQ(p95.high, 197);
  const QuantileRanks p99 = IntervalRanks(1000, 0.99);
  EXPECT_EQ(p99.low, 983);
  EXPECT_EQ(p99.high, 997);
}

TEST(QuantileTest, P99OfThreeHundredHasNoHighEnd) {
  const QuantileRanks ranks = IntervalRanks(300, 0.99);
  EXPECT_EQ(ranks.low, 293);
  EXPECT_EQ(ranks.high, std::nullopt);
  EXPECT_FALSE(EstimateQuantile(Ranks(300), 0.99).sufficient());
  EXPECT_EQ(EstimateQuantile(Ranks(300), 0.99).value, 297);
}

TEST(QuantileTest, HighEndExistsExactlyFromTheSmallestSample) {
  for (const double p : {0.95, 0.99, 0.999}) {
    const int64_t n = SmallestSampleForInterval(p);
    EXPECT_TRUE(IntervalRanks(n, p).high.has_value());
    EXPECT_FALSE(IntervalRanks(n - 1, p).high.has_value());
  }
}

TEST(QuantileTest, LowEndIsAbsentWhereNoSampleIsLowEnough) {
  EXPECT_EQ(IntervalRanks(5, 0.5).low, std::nullopt);
  EXPECT_EQ(IntervalRanks(6, 0.5).low, 1);
  EXPECT_EQ(IntervalRanks(1, 0.5).low, std::nullopt);
  EXPECT_EQ(IntervalRanks(1, 0.5).high, std::nullopt);
}

TEST(QuantileTest, PointRankIsNotFooledByRounding) {
  EXPECT_EQ(PointRank(100, 0.07), 7);
  EXPECT_EQ(PointRank(100, 0.29), 29);
  EXPECT_EQ(PointRank(200, 0.95), 190);
  EXPECT_EQ(PointRank(1000, 0.999), 999);
  EXPECT_EQ(PointRank(3, 0.5), 2);
  EXPECT_EQ(PointRank(1, 0.999), 1);
  EXPECT_EQ(PointRank(100'000'000, 0.999), 99'900'000);
}

TEST(QuantileTest, RanksOfAHundredMillionFollowTheNormalLimit) {
  const QuantileRanks ranks = IntervalRanks(100'000'000, 0.5);
  // 1.959964 * sqrt(n) / 2 = 9799.8 to either side.
  EXPECT_NEAR(static_cast<double>(*ranks.low), 5e7 - 9799.8, 2);
  EXPECT_NEAR(static_cast<double>(*ranks.high), 5e7 + 9799.8, 2);
}

TEST(QuantileTest, FullEffectiveSizeChangesNothing) {
  for (const int64_t n : {10, 100, 1000, 4321}) {
    const QuantileRanks plain = IntervalRanks(n, 0.9);
    const QuantileRanks same =
        IntervalRanks(n, static_cast<double>(n), 0.9, 0.95);
    EXPECT_EQ(plain.low, same.low);
    EXPECT_EQ(plain.high, same.high);
    EXPECT_EQ(plain.point, same.point);
  }
}

TEST(QuantileTest, IntervalWidensAsTheEffectiveSizeShrinks) {
  int64_t low = 1'000'000;
  int64_t high = 0;
  for (const double effective : {10'000.0, 5'000.0, 1'000.0, 400.0}) {
    const QuantileRanks ranks = IntervalRanks(10'000, effective, 0.99, 0.95);
    ASSERT_TRUE(ranks.low && ranks.high) << effective;
    EXPECT_LT(*ranks.low, low);
    EXPECT_GT(*ranks.high, high);
    low = *ranks.low;
    high = *ranks.high;
  }
}

TEST(QuantileTest, TooFewEffectiveSamplesAreInsufficient) {
  EXPECT_FALSE(IntervalRanks(10'000, 367.9, 0.99, 0.95).high.has_value());
  EXPECT_TRUE(IntervalRanks(10'000, 368, 0.99, 0.95).high.has_value());
}

TEST(QuantileTest, MaximumIsExceededWithAboutThreeOverN) {
  EXPECT_NEAR(ProbabilityOfExceedingMaximum(1000, 0.95), 3.0 / 1000, 1e-5);
  EXPECT_NEAR(ProbabilityOfExceedingMaximum(1, 0.95), 0.95, 1e-12);
}

// How often the interval of the p-quantile of 1000 lognormal series covers
// the truth.
double CoverageOf(double p, double z, size_t n, double phi) {
  Random random(5);
  int covered = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> series = LognormalSeries(n, 0.5, phi, &random);
    std::vector<double> sorted = series;
    std::sort(sorted.begin(), sorted.end());
    const double point =
        sorted[static_cast<size_t>(PointRank(static_cast<int64_t>(n), p) - 1)];
    const Estimate estimate =
        EstimateQuantile(sorted, EffectiveSampleSizeAt(series, point), p, 0.95);
    const double truth = std::exp(0.5 * z);
    covered += estimate.sufficient() && *estimate.low <= truth &&
               truth <= *estimate.high;
  }
  return covered / 1000.0;
}

TEST(QuantileTest, IntervalCoversIndependentSamples) {
  const double coverage = CoverageOf(0.9, 1.2815515655, 500, 0);
  EXPECT_GE(coverage, 0.94);
  EXPECT_LE(coverage, 0.98);
}

TEST(QuantileTest, IntervalCoversAutocorrelatedSamples) {
  EXPECT_GE(CoverageOf(0.5, 0, 500, 0.7), 0.92);
  EXPECT_GE(CoverageOf(0.9, 1.2815515655, 1000, 0.7), 0.92);
}

}  // namespace
}  // namespace edgewise::stats
