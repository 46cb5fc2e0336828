#include "http/traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::http {
namespace {

TEST(TrafficTest, CountsByStatusAndTime) {
  Traffic traffic(2);
  traffic.Count(1, 200, 400'000);         // 0.4 ms
  traffic.Count(1, 404, 600'000);         // 0.6 ms
  traffic.Count(1, 200, 20'000'000'000);  // beyond the last bound
  const RouteTraffic counted = traffic.Of(1);
  EXPECT_THAT(counted.by_status, testing::ElementsAre(testing::Pair(200, 2),
                                                      testing::Pair(404, 1)));
  EXPECT_EQ(counted.by_time.front(), 1U);
  EXPECT_EQ(counted.by_time[1], 1U);
  EXPECT_EQ(counted.by_time.back(), 1U);
  EXPECT_DOUBLE_EQ(counted.time_s, 20.001);
  EXPECT_TRUE(traffic.Of(0).by_status.empty());
}

}  // namespace
}  // namespace edgewise::http
