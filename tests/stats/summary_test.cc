#include "stats/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "series.h"

namespace edgewise::stats {
namespace {

TEST(SummaryTest, NothingIsKnownOfNoSamples) {
  const SpanSummary summary = Summarise({});
  EXPECT_EQ(summary.count, 0);
  EXPECT_FALSE(summary.mean || summary.stddev || summary.jitter ||
               summary.min || summary.max || summary.p50 || summary.p999 ||
               summary.n_effective || summary.lag1 || summary.warmup_count ||
               summary.throughput_per_s);
}

TEST(SummaryTest, OneSampleHasValuesButNoIntervals) {
  const SpanSummary summary = Summarise(std::vector<double>{7});
  EXPECT_EQ(summary.count, 1);
  EXPECT_EQ(summary.mean, 7.0);
  EXPECT_EQ(summary.p99->value, 7);
  EXPECT_FALSE(summary.p50->sufficient());
  EXPECT_FALSE(summary.stddev.has_value());
}

TEST(SummaryTest, IndependentSamplesHaveTheExactRanks) {
  Random random(1);
  const SpanSummary summary = Summarise(ShuffledRanks(1000, &random));
  EXPECT_EQ(summary.n_effective, 1000.0);
  EXPECT_DOUBLE_EQ(*summary.mean, 500.5);
  EXPECT_EQ(summary.p50->value, 500);
  EXPECT_EQ(summary.p90->value, 900);
  EXPECT_EQ(summary.p95->value, 950);
  EXPECT_EQ(summary.p99->value, 990);
  EXPECT_EQ(summary.p99->low, 983.0);
  EXPECT_EQ(summary.p99->high, 997.0);
  EXPECT_EQ(summary.p999->value, 999);
  EXPECT_TRUE(summary.p999->low.has_value());
  EXPECT_FALSE(summary.p999->sufficient());
  EXPECT_EQ(summary.max, 1000.0);
  EXPECT_EQ(summary.warmup_count, 0);
  EXPECT_FALSE(summary.used_sketch);
}

TEST(SummaryTest, IntervalsOfDependentSamplesAreWider) {
  Random random(2);
  const SpanSummary independent =
      Summarise(LognormalSeries(5000, 0.5, 0, &random));
  const SpanSummary dependent =
      Summarise(LognormalSeries(5000, 0.5, 0.9, &random));
  EXPECT_NEAR(*dependent.lag1, 0.88, 0.05);
  EXPECT_LT(*dependent.n_effective, 600);
  EXPECT_GT(*dependent.p50->high - *dependent.p50->low,
            2 * (*independent.p50->high - *independent.p50->low));
}

TEST(SummaryTest, ThroughputIsCountOverTheWindow) {
  const SpanSummary summary = Summarise(
      std::vector<double>(50, 1.0), TimeWindow{.first_start_ns = 1'000'000'000,
                                               .last_end_ns = 3'000'000'000});
  EXPECT_DOUBLE_EQ(*summary.throughput_per_s, 25);
  EXPECT_FALSE(Summarise(std::vector<double>(50, 1.0), TimeWindow{5, 5})
                   .throughput_per_s.has_value());
}

TEST(SummaryTest, SamplesThatAreNotFiniteAreCountedApart) {
  const SpanSummary summary =
      Summarise(std::vector<double>{1, std::nan(""), 3, HUGE_VAL});
  EXPECT_EQ(summary.count, 2);
  EXPECT_EQ(summary.rejected, 2);
  EXPECT_EQ(summary.max, 3.0);
}

TEST(SummaryTest, WarmupIsReportedAndNotRemoved) {
  Random random(3);
  std::vector<double> samples = LognormalSeries(500, 0.05, 0, &random);
  for (size_t i = 0; i < 10; ++i) samples[i] = 5;
  const SpanSummary summary = Summarise(samples);
  EXPECT_EQ(summary.warmup_count, 10);
  EXPECT_EQ(summary.max, 5.0);
  EXPECT_EQ(summary.count, 500);
}

TEST(SummaryTest, SketchSummaryContainsTheExactInterval) {
  Random random(4);
  const std::vector<double> samples = LognormalSeries(5000, 1, 0, &random);
  Sketch sketch;
  for (const double sample : samples) sketch.Add(sample);
  const SpanSummary exact = Summarise(samples);
  const SpanSummary sketched =
      Summarise(sketch, MomentsOf(samples), exact.n_effective);
  EXPECT_TRUE(sketched.used_sketch);
  EXPECT_EQ(sketched.mean, exact.mean);
  EXPECT_EQ(sketched.jitter, exact.jitter);
  EXPECT_EQ(sketched.max, exact.max);
  EXPECT_FALSE(sketched.warmup_count.has_value());
  for (const auto field : {&SpanSummary::p50, &SpanSummary::p99}) {
    const Estimate& estimate = *(sketched.*field);
    const Estimate& truth = *(exact.*field);
    EXPECT_NEAR(estimate.value, truth.value, kSketchError * truth.value);
    EXPECT_LE(*estimate.low, *truth.low);
    EXPECT_GE(*estimate.high, *truth.high);
  }
}

TEST(SummaryTest, WithoutEffectiveSizeASketchClaimsNoIntervals) {
  Sketch sketch;
  Moments moments;
  for (int i = 1; i <= 1000; ++i) {
    sketch.Add(i);
    moments.Add(i);
  }
  const SpanSummary summary = Summarise(sketch, moments, std::nullopt);
  EXPECT_NEAR(summary.p50->value, 500, 5);
  EXPECT_FALSE(summary.p50->low || summary.p50->high);
  EXPECT_FALSE(summary.n_effective.has_value());
  EXPECT_FALSE(Summarise(Sketch(), Moments(), std::nullopt).p50.has_value());
}

}  // namespace
}  // namespace edgewise::stats
