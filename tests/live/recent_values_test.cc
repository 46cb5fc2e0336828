#include "live/recent_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "live/live_sink.h"
#include "live/registry.h"

namespace edgewise::live {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(RecentValuesTest, KeepsTheLastOnes) {
  RecentValues recent;
  EXPECT_TRUE(recent.values().empty());
  for (int i = 0; i < 200; ++i) {
    recent.AddValue(i);
  }
  const auto values = recent.values();
  ASSERT_EQ(values.size(), RecentValues::kMost);
  EXPECT_EQ(values.front(), 110);
  EXPECT_EQ(values.back(), 199);
}

TEST(RecentValuesTest, RatesNeedTwoLooks) {
  RecentValues recent;
  recent.AddRate(1000, kNsPerSecond);
  recent.AddRate(1060, 3 * kNsPerSecond);
  recent.AddRate(1060, 5 * kNsPerSecond);
  EXPECT_THAT(recent.values(), ElementsAre(30, 0));
}

TEST(RecentValuesTest, AreRememberedOfEachMetricOfAnApp) {
  Registry registry;
  Newcomer newcomer;
  newcomer.identity.name = "cam";
  LiveApp& app = registry.Join(newcomer, kNsPerSecond);
  LiveMetric* span = MetricOf(app, EventKind::kSpan, "frame", kNsPerSecond);
  MetricOf(app, EventKind::kGauge, "queue", kNsPerSecond)
      ->AddValue(4, kNsPerSecond);
  RememberValues(registry, kNsPerSecond);
  for (int i = 0; i < 20; ++i) {
    span->AddDuration(1000, 2 * kNsPerSecond);
  }
  RememberValues(registry, 3 * kNsPerSecond);
  const std::string json = RecentValuesJson(registry);
  EXPECT_THAT(json, HasSubstr(R"("name":"frame","values":[10])"));
  EXPECT_THAT(json, HasSubstr(R"("name":"queue","values":[4,4])"));
}

}  // namespace
}  // namespace edgewise::live
