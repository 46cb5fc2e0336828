#include "live/metric.h"

#include <gtest/gtest.h>

namespace edgewise::live {
namespace {

TEST(LiveMetricTest, DurationsAreCountedByClassUpToTheirBound) {
  LiveMetric metric(EventKind::kSpan, "frame", 0);
  metric.AddDuration(100'000, 1);         // exactly the first bound
  metric.AddDuration(100'001, 2);         // the second class
  metric.AddDuration(20'000'000'000, 3);  // beyond all
  EXPECT_EQ(metric.durations().by_class.front(), 1u);
  EXPECT_EQ(metric.durations().by_class[1], 1u);
  EXPECT_EQ(metric.durations().by_class.back(), 1u);
  EXPECT_NEAR(metric.durations().sum_s, 20.0002, 1e-4);
  EXPECT_EQ(metric.count(), 3u);
  EXPECT_EQ(metric.last_ns(), 3);
}

TEST(LiveMetricTest, JobsCountTheirMisses) {
  LiveMetric metric(EventKind::kJob, "loop", 0);
  metric.AddJob(10, false, 1);
  metric.AddJob(10, true, 2);
  EXPECT_EQ(metric.deadline_misses(), 1u);
  EXPECT_EQ(metric.count(), 2u);
}

TEST(LiveMetricTest, CountersGoOnOverRestarts) {
  LiveMetric metric(EventKind::kCounter, "frames", 0);
  metric.AddValue(70, 1);
  metric.AddValue(100, 2);
  metric.BeginProcess();
  metric.AddValue(5, 3);
  EXPECT_DOUBLE_EQ(metric.last(), 105);
}

TEST(LiveMetricTest, GaugesDoNot) {
  LiveMetric metric(EventKind::kGauge, "queue", 0);
  metric.AddValue(70, 1);
  metric.BeginProcess();
  metric.AddValue(5, 2);
  EXPECT_DOUBLE_EQ(metric.last(), 5);
}

}  // namespace
}  // namespace edgewise::live
