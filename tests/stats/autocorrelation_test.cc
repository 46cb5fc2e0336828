#include "stats/autocorrelation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "series.h"
#include "stats/batch_means.h"

namespace edgewise::stats {
namespace {

TEST(AutocorrelationTest, MatchesValuesWorkedOutByHand) {
  std::vector<double> series(60);
  for (size_t i = 0; i < 60; ++i) {
    series[i] = static_cast<double>(i * 7919 % 101) / 10;
  }
  const std::vector<double> rho = Autocorrelation(series, 2);
  ASSERT_EQ(rho.size(), 3u);
  EXPECT_DOUBLE_EQ(rho[0], 1);
  EXPECT_NEAR(rho[1], -0.41578502780330806, 1e-12);
  EXPECT_NEAR(rho[2], 0.023683871635287127, 1e-12);
}

TEST(AutocorrelationTest, ConstantSeriesHasNone) {
  EXPECT_TRUE(Autocorrelation(std::vector<double>(10, 0.1), 3).empty());
  EXPECT_TRUE(Autocorrelation({}, 3).empty());
}

TEST(AutocorrelationTest, LagsEndWithTheSeries) {
  EXPECT_EQ(Autocorrelation(std::vector<double>{1, 2, 4}, 10).size(), 3u);
}

TEST(AutocorrelationTest, ConstantAndTinySeriesCountInFull) {
  EXPECT_EQ(EffectiveSampleSize({}), 0);
  EXPECT_EQ(EffectiveSampleSize(std::vector<double>{1, 2, 3}), 3);
  EXPECT_EQ(EffectiveSampleSize(std::vector<double>(100, 0.1)), 100);
  EXPECT_EQ(EffectiveSampleSize(std::vector<double>(20'000, 0.1)), 20'000);
}

TEST(AutocorrelationTest, IndependentSamplesMostlyCountInFull) {
  Random random(3);
  int full = 0;
  for (int trial = 0; trial < 200; ++trial) {
    full += EffectiveSampleSize(AutoregressiveSeries(300, 0, &random)) == 300;
  }
  EXPECT_GE(full, 180);
}

TEST(AutocorrelationTest, AlternatingSamplesNeverCountMoreThanTheirNumber) {
  Random random(4);
  EXPECT_EQ(EffectiveSampleSize(AutoregressiveSeries(1000, -0.8, &random)),
            1000);
}

// For an autoregressive series the time is (1 + phi) / (1 - phi).
TEST(AutocorrelationTest, FindsTheTimeOfAutoregressiveSeries) {
  for (const size_t n : {2'000, 100'000}) {
    for (const double phi : {0.3, 0.7, 0.9}) {
      Random random(5);
      double time = 0;
      for (int trial = 0; trial < 20; ++trial) {
        time += IntegratedTime(AutoregressiveSeries(n, phi, &random)) / 20;
      }
      const double expected = (1 + phi) / (1 - phi);
      EXPECT_NEAR(time, expected, 0.15 * expected) << phi << " " << n;
    }
  }
}

TEST(AutocorrelationTest, ATrendLeavesAlmostNothing) {
  EXPECT_LT(EffectiveSampleSize(Ranks(1000)), 10);
  EXPECT_LT(EffectiveSampleSize(Ranks(50'000)), 10);
}

TEST(AutocorrelationTest, ClusteredExceedancesCountLess) {
  // Bursts of ten slow samples: the tail holds a tenth of what it seems to.
  Random random(6);
  std::vector<double> series(20'000);
  for (size_t i = 0; i < series.size(); ++i) {
    const bool burst = i % 200 < 10;
    series[i] = (burst ? 10 : 1) + 0.1 * random.Uniform();
  }
  const double effective = EffectiveSampleSizeAt(series, 5);
  EXPECT_LT(effective, 20'000 / 4.0);
}

TEST(AutocorrelationTest, FewTailSamplesBorrowTheSizeOfTheSeries) {
  Random random(7);
  const std::vector<double> series = AutoregressiveSeries(500, 0.9, &random);
  const double extreme = *std::max_element(series.begin(), series.end());
  EXPECT_LE(EffectiveSampleSizeAt(series, extreme - 1e-9),
            EffectiveSampleSize(series));
}

TEST(BatchMeansTest, ShortStreamsAgreeWithTheWholeSeries) {
  Random random(8);
  const std::vector<double> series = AutoregressiveSeries(2048, 0.8, &random);
  BatchMeans batches;
  for (const double value : series) batches.Add(value);
  EXPECT_EQ(batches.count(), 2048);
  EXPECT_NEAR(batches.EffectiveSampleSize(), EffectiveSampleSize(series), 1e-6);
}

TEST(BatchMeansTest, LongStreamsKeepTheTimeInConstantMemory) {
  Random random(9);
  const std::vector<double> series =
      AutoregressiveSeries(300'001, 0.9, &random);
  BatchMeans batches;
  for (const double value : series) batches.Add(value);
  EXPECT_NEAR(300'001 / batches.EffectiveSampleSize(), 19, 3);
}

TEST(BatchMeansTest, ConstantStreamsCountInFull) {
  BatchMeans batches;
  for (int i = 0; i < 20'000; ++i) batches.Add(0.1);
  EXPECT_EQ(batches.EffectiveSampleSize(), 20'000);
}

TEST(BatchMeansTest, IndependentStreamsCountInFull) {
  Random random(10);
  BatchMeans batches;
  for (int i = 0; i < 100'000; ++i) batches.Add(random.Normal());
  EXPECT_NEAR(batches.EffectiveSampleSize(), 100'000, 10'000);
}

}  // namespace
}  // namespace edgewise::stats
