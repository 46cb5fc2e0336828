#include "stats/moments.h"

#include <gtest/gtest.h>

#include <vector>

#include "series.h"
#include "stats/autocorrelation.h"

namespace edgewise::stats {
namespace {

TEST(MomentsTest, EmptyKnowsNothing) {
  const Moments moments;
  EXPECT_EQ(moments.count(), 0);
  EXPECT_FALSE(moments.mean() || moments.min() || moments.max() ||
               moments.stddev() || moments.jitter() || moments.lag1());
}

TEST(MomentsTest, OneValueHasNoSpread) {
  const Moments moments = MomentsOf(std::vector<double>{3});
  EXPECT_EQ(moments.mean(), 3.0);
  EXPECT_EQ(moments.stddev(), std::nullopt);
  EXPECT_EQ(moments.jitter(), std::nullopt);
}

TEST(MomentsTest, KnownFigures) {
  const Moments moments =
      MomentsOf(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(*moments.mean(), 5);
  EXPECT_DOUBLE_EQ(*moments.stddev(), std::sqrt(32.0 / 7));
  EXPECT_DOUBLE_EQ(*moments.jitter(), 1.0);  // steps 2 0 0 1 0 2 2
  EXPECT_EQ(moments.min(), 2.0);
  EXPECT_EQ(moments.max(), 9.0);
}

TEST(MomentsTest, SmallSpreadOnALargeMeanIsKept) {
  Moments moments;
  for (int i = 0; i < 10'000; ++i) moments.Add(1e9 + (i % 2));
  EXPECT_NEAR(*moments.mean(), 1e9 + 0.5, 1e-6);
  EXPECT_NEAR(*moments.stddev(), 0.5, 1e-4);
}

TEST(MomentsTest, Lag1EqualsTheAutocorrelation) {
  Random random(1);
  const std::vector<double> series = AutoregressiveSeries(500, 0.6, &random);
  EXPECT_NEAR(*MomentsOf(series).lag1(), Autocorrelation(series, 1)[1], 1e-12);
}

TEST(MomentsTest, MergeEqualsWhole) {
  Random random(2);
  const std::vector<double> series = LognormalSeries(1000, 1, 0, &random);
  const std::span<const double> all(series);
  const Moments whole = MomentsOf(series);
  for (const size_t cut : {0, 1, 500, 999, 1000}) {
    Moments merged = MomentsOf(all.first(cut));
    merged.Merge(MomentsOf(all.subspan(cut)));
    EXPECT_EQ(merged.count(), whole.count());
    EXPECT_NEAR(*merged.mean(), *whole.mean(), 1e-12);
    EXPECT_NEAR(*merged.stddev(), *whole.stddev(), 1e-11);
    EXPECT_EQ(merged.min(), whole.min());
    EXPECT_EQ(merged.max(), whole.max());
  }
}

TEST(MomentsTest, TheStepBetweenMergedStreamsIsNoJitter) {
  Moments first = MomentsOf(std::vector<double>{1, 2});
  first.Merge(MomentsOf(std::vector<double>{1000, 1003}));
  EXPECT_DOUBLE_EQ(*first.jitter(), 2);
  EXPECT_EQ(first.lag1(), std::nullopt);
}

}  // namespace
}  // namespace edgewise::stats
