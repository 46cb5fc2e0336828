#include "store/distribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "stats/summary.h"

namespace edgewise {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

SpanSamples SamplesOf(std::vector<double> wall_ns) {
  SpanSamples samples;
  samples.name = "frame";
  samples.wall_ns = std::move(wall_ns);
  for (size_t i = 0; i < samples.wall_ns.size(); ++i) {
    samples.start_ns.push_back(static_cast<int64_t>(i) * 1000);
  }
  return samples;
}

std::vector<double> Noise(size_t count) {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> values(10, 0.3);
  std::vector<double> noise(count);
  std::generate(noise.begin(), noise.end(), [&] { return values(random); });
  return noise;
}

TEST(DistributionTest, AscendsToTheMaximum) {
  const SpanSamples samples = SamplesOf(Noise(5000));
  const auto points = DistributionOf({&samples, 1}, 240);
  ASSERT_GT(points.size(), 100U);
  EXPECT_LE(points.size(), 240U);
  for (size_t i = 1; i < points.size(); ++i) {
    EXPECT_LT(points[i - 1].share, points[i].share);
    EXPECT_LT(points[i - 1].value.value, points[i].value.value);
  }
  EXPECT_EQ(points.back().share, 1);
  EXPECT_EQ(points.back().value.value,
            *std::max_element(samples.wall_ns.begin(), samples.wall_ns.end()));
}

TEST(DistributionTest, PointsAreSharesOfTheSamples) {
  const SpanSamples samples = SamplesOf(Noise(5000));
  for (const DistributionPoint& point : DistributionOf({&samples, 1}, 60)) {
    const auto below =
        std::count_if(samples.wall_ns.begin(), samples.wall_ns.end(),
                      [&](double value) { return value <= point.value.value; });
    EXPECT_NEAR(static_cast<double>(below) / 5000, point.share, 1.0 / 5000);
  }
}

TEST(DistributionTest, IntervalsAreThoseOfThePercentiles) {
  const SpanSamples samples = SamplesOf(Noise(20000));
  const stats::SpanSummary summary = stats::Summarise(samples.wall_ns);
  ASSERT_TRUE(summary.p50 && summary.p50->sufficient());
  const auto points = DistributionOf({&samples, 1}, 240);
  const auto middle = std::min_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) {
        return std::abs(a.share - 0.5) < std::abs(b.share - 0.5);
      });
  ASSERT_TRUE(middle->value.sufficient());
  const double width = *summary.p50->high - *summary.p50->low;
  EXPECT_NEAR(*middle->value.high - *middle->value.low, width, 0.3 * width);
}

TEST(DistributionTest, FarTailHasNoInterval) {
  const SpanSamples samples = SamplesOf(Noise(200));
  const auto points = DistributionOf({&samples, 1}, 240);
  EXPECT_FALSE(points[points.size() - 2].value.sufficient());
}

TEST(DistributionTest, EqualSamplesAreOnePoint) {
  const SpanSamples samples = SamplesOf(std::vector<double>(100, 7));
  const auto points = DistributionOf({&samples, 1}, 240);
  ASSERT_THAT(points, SizeIs(1));
  EXPECT_EQ(points[0].share, 1);
}

TEST(DistributionTest, FewSamplesAndNone) {
  const SpanSamples one = SamplesOf({5});
  EXPECT_THAT(DistributionOf({&one, 1}, 240), SizeIs(1));
  const SpanSamples none = SamplesOf({});
  EXPECT_THAT(DistributionOf({&none, 1}, 240), IsEmpty());
  EXPECT_THAT(DistributionOf({&one, 1}, 0), IsEmpty());
}

TEST(DistributionTest, WhatIsSummarisedCountsToo) {
  SpanSamples samples = SamplesOf(Noise(1000));
  SeriesDigest digest;
  for (const double value : Noise(9000)) {
    digest.Add(Span{0, static_cast<int64_t>(value * 10), -1, 1, 0});
  }
  samples.digest = digest;
  const auto points = DistributionOf({&samples, 1}, 240);
  // Nine of ten are ten times as long.
  const auto at = std::find_if(points.begin(), points.end(),
                               [](const auto& p) { return p.share > 0.5; });
  EXPECT_GT(at->value.value, 5 * std::exp(10));
  EXPECT_TRUE(at->value.sufficient());
}

TEST(OverTimeTest, NothingIsLostAndOutliersStay) {
  std::vector<double> values(10'000, 100);
  values[6'543] = 9'999;
  const auto buckets = OverTime(SamplesOf(values), 600);
  EXPECT_LE(buckets.size(), 600U);
  int64_t count = 0;
  double max_ns = 0;
  for (const TimeBucket& bucket : buckets) {
    count += bucket.count;
    max_ns = std::max(max_ns, bucket.max_ns);
    EXPECT_EQ(bucket.median_ns, 100);
  }
  EXPECT_EQ(count, 10'000);
  EXPECT_EQ(max_ns, 9'999);
}

TEST(OverTimeTest, FewSpansAreABucketEach) {
  const auto buckets = OverTime(SamplesOf({1, 2, 3}), 600);
  ASSERT_THAT(buckets, SizeIs(3));
  EXPECT_EQ(buckets[1].start_ns, 1000);
  EXPECT_EQ(buckets[1].min_ns, 2);
  EXPECT_EQ(buckets[1].p99_ns, 2);
}

TEST(OverTimeTest, AllAtOnceIsOneBucket) {
  SpanSamples samples = SamplesOf({1, 2, 3});
  samples.start_ns = {INT64_MAX, INT64_MAX, INT64_MAX};
  EXPECT_THAT(OverTime(samples, 600), SizeIs(1));
  samples.start_ns = {INT64_MIN, 0, INT64_MAX};
  EXPECT_THAT(OverTime(samples, 600), SizeIs(3));
}

}  // namespace
}  // namespace edgewise
