#include "stats/span_stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "series.h"

namespace edgewise::stats {
namespace {

TEST(SpanStreamTest, AgreesWithTheSummaryOfAllSamples) {
  Random random(1);
  const std::vector<double> samples =
      LognormalSeries(20'000, 0.5, 0.6, &random);
  SpanStream stream;
  for (const double sample : samples) stream.Add(sample);
  const SpanSummary whole = Summarise(samples);
  const SpanSummary streamed = stream.Summary();
  EXPECT_EQ(streamed.count, whole.count);
  EXPECT_EQ(streamed.mean, whole.mean);
  EXPECT_EQ(streamed.lag1, whole.lag1);
  EXPECT_NEAR(*streamed.n_effective / *whole.n_effective, 1, 0.25);
  EXPECT_NEAR(streamed.p99->value / whole.p99->value, 1, kSketchError);
  EXPECT_TRUE(streamed.p99->sufficient());
  EXPECT_TRUE(streamed.used_sketch);
}

TEST(SpanStreamTest, ThroughputSpansAllThreads) {
  SpanStream stream;
  stream.Add(1, 500, 1'000'000'000);
  stream.Add(1, 0, 400);
  stream.Add(1, 900, 2'000'000'000);
  EXPECT_DOUBLE_EQ(*stream.Summary().throughput_per_s, 1.5);
}

TEST(SpanStreamTest, WithoutTimesThroughputIsUnknown) {
  SpanStream stream;
  stream.Add(1);
  EXPECT_FALSE(stream.Summary().throughput_per_s.has_value());
}

TEST(SpanStreamTest, WhatIsNotFiniteIsOnlyCounted) {
  SpanStream stream;
  stream.Add(std::nan(""));
  stream.Add(2);
  EXPECT_EQ(stream.Summary().count, 1);
  EXPECT_EQ(stream.Summary().rejected, 1);
}

}  // namespace
}  // namespace edgewise::stats
