#include "stats/histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "series.h"

namespace edgewise::stats {
namespace {

uint64_t Total(const Histogram& histogram) {
  uint64_t total = 0;
  for (const HistogramBin& bin : histogram.bins) total += bin.count;
  return total;
}

void ExpectAdjacent(const Histogram& histogram, double min, double max) {
  ASSERT_FALSE(histogram.bins.empty());
  EXPECT_EQ(histogram.bins.front().low, min);
  EXPECT_EQ(histogram.bins.back().high, max);
  for (size_t i = 1; i < histogram.bins.size(); ++i) {
    EXPECT_EQ(histogram.bins[i].low, histogram.bins[i - 1].high);
    EXPECT_LT(histogram.bins[i].low, histogram.bins[i].high);
  }
}

TEST(HistogramTest, LinearBinsCountWhatTheirEdgesSay) {
  const Histogram histogram =
      MakeHistogram(std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 10},
                    HistogramScale::kLinear, 5);
  ASSERT_EQ(histogram.bins.size(), 5u);
  ExpectAdjacent(histogram, 0, 10);
  const std::vector<uint64_t> expected = {2, 2, 2, 2, 2};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(histogram.bins[i].count, expected[i]) << i;
  }
}

TEST(HistogramTest, LogBinsGrowGeometrically) {
  const Histogram histogram = MakeHistogram(
      std::vector<double>{1, 5, 50, 500, 1000}, HistogramScale::kLog, 3);
  ASSERT_EQ(histogram.bins.size(), 3u);
  EXPECT_TRUE(histogram.logarithmic);
  EXPECT_NEAR(histogram.bins[0].high, 10, 1e-9);
  EXPECT_NEAR(histogram.bins[1].high, 100, 1e-9);
  EXPECT_EQ(histogram.bins[0].count, 2u);
  EXPECT_EQ(histogram.bins[1].count, 1u);
  EXPECT_EQ(histogram.bins[2].count, 2u);
}

TEST(HistogramTest, AutoChoosesTheLogScaleForWideRanges) {
  EXPECT_TRUE(MakeHistogram(std::vector<double>{1, 101}, HistogramScale::kAuto)
                  .logarithmic);
  EXPECT_FALSE(MakeHistogram(std::vector<double>{1, 99}, HistogramScale::kAuto)
                   .logarithmic);
  EXPECT_FALSE(MakeHistogram(std::vector<double>{0, 99}, HistogramScale::kLog)
                   .logarithmic);
}

TEST(HistogramTest, NumberOfBinsIsBounded) {
  Random random(1);
  const std::vector<double> values = LognormalSeries(100'000, 1, 0, &random);
  const Histogram histogram = MakeHistogram(values, HistogramScale::kAuto, 40);
  EXPECT_EQ(histogram.bins.size(), 40u);
  EXPECT_EQ(Total(histogram), 100'000u);
  EXPECT_LE(MakeHistogram(Ranks(8), HistogramScale::kLinear).bins.size(), 4u);
}

TEST(HistogramTest, OddInputs) {
  EXPECT_TRUE(
      MakeHistogram(std::vector<double>{}, HistogramScale::kAuto).bins.empty());
  EXPECT_TRUE(MakeHistogram(Sketch(), HistogramScale::kAuto).bins.empty());
  const Histogram equal =
      MakeHistogram(std::vector<double>(9, 3.0), HistogramScale::kAuto);
  ASSERT_EQ(equal.bins.size(), 1u);
  EXPECT_EQ(equal.bins[0].low, 3);
  EXPECT_EQ(equal.bins[0].high, 3);
  EXPECT_EQ(equal.bins[0].count, 9u);
  const Histogram some = MakeHistogram(
      std::vector<double>{std::nan(""), 1, HUGE_VAL, 2}, HistogramScale::kAuto);
  EXPECT_EQ(Total(some), 2u);
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(Total(MakeHistogram(std::vector<double>{-huge, 0, huge},
                                HistogramScale::kLinear)),
            3u);
}

TEST(HistogramTest, SketchGivesNearlyTheSamePicture) {
  Random random(2);
  const std::vector<double> values = LognormalSeries(20'000, 1, 0, &random);
  Sketch sketch;
  for (const double value : values) sketch.Add(value);
  const Histogram exact = MakeHistogram(values, HistogramScale::kLog, 20);
  const Histogram sketched = MakeHistogram(sketch, HistogramScale::kLog, 20);
  ASSERT_EQ(exact.bins.size(), sketched.bins.size());
  EXPECT_EQ(Total(sketched), 20'000u);
  for (size_t i = 0; i < exact.bins.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(sketched.bins[i].count),
                static_cast<double>(exact.bins[i].count), 250);
  }
}

TEST(CdfPointsTest, FewValuesAreAllShown) {
  const std::vector<CdfPoint> points =
      CdfPoints(std::vector<double>{3, 1, 2, 2});
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].value, 1);
  EXPECT_EQ(points[0].share, 0.25);
  EXPECT_EQ(points[1].value, 2);
  EXPECT_EQ(points[1].share, 0.75);
  EXPECT_EQ(points[2].share, 1);
}

TEST(CdfPointsTest, ManyValuesAreBoundedAndReachIntoTheTail) {
  Random random(3);
  const std::vector<CdfPoint> points =
      CdfPoints(ShuffledRanks(100'000, &random), 100);
  EXPECT_LE(points.size(), 100u);
  EXPECT_GE(points.size(), 80u);
  EXPECT_EQ(points.front().value, 1);
  EXPECT_EQ(points.back().value, 100'000);
  EXPECT_EQ(points.back().share, 1);
  int beyond_p999 = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    EXPECT_DOUBLE_EQ(points[i].share, points[i].value / 100'000);
    if (i > 0) {
      EXPECT_GT(points[i].value, points[i - 1].value);
    }
    beyond_p999 += points[i].share > 0.999;
  }
  EXPECT_GE(beyond_p999, 10);
}

TEST(CdfPointsTest, NothingFromNothing) {
  EXPECT_TRUE(CdfPoints({}).empty());
  EXPECT_TRUE(CdfPoints(std::vector<double>{std::nan("")}).empty());
}

}  // namespace
}  // namespace edgewise::stats
