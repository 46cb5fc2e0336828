#include "clocks/one_way.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::clocks {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(OneWayTest, OnOneClockThereIsNoError) {
  const OneWay way = Between({1000, 0}, {1'201'000, 0});
  EXPECT_EQ(way.latency_ns, 1'200'000);
  EXPECT_EQ(way.bound_ns, 0);
  EXPECT_FALSE(way.explanation);
  EXPECT_EQ(FormatOneWay(way), "1.2 ms");
}

TEST(OneWayTest, ErrorsOfBothClocksAddUp) {
  const OneWay way = Between({1000, 50'000}, {1'201'000, 30'000});
  EXPECT_EQ(way.bound_ns, 80'000);
  EXPECT_FALSE(way.explanation);
  EXPECT_EQ(FormatOneWay(way), "1.2 ms ±80 µs");
}

TEST(OneWayTest, ANegativeLatencyWithinTheErrorIsExplained) {
  const OneWay way = Between({1'000'000, 100'000}, {970'000, 0});
  EXPECT_EQ(way.latency_ns, -30'000);
  ASSERT_TRUE(way.explanation);
  EXPECT_EQ(*way.explanation,
            "within the clocks' error of ±100 µs: it took at most 70 µs");
  EXPECT_THAT(FormatOneWay(way), HasSubstr("-30 µs ±100 µs (within"));
}

TEST(OneWayTest, ANegativeLatencyBeyondTheErrorIsAnAccusation) {
  const OneWay way = Between({1'000'000, 100'000}, {600'000, 50'000});
  ASSERT_TRUE(way.explanation);
  EXPECT_THAT(*way.explanation,
              HasSubstr("disagree by 250 µs more than their exchange allows"));
  EXPECT_THAT(*way.explanation, HasSubstr("±150 µs"));
}

TEST(OneWayTest, WithoutAnExchangeThereIsNoTelling) {
  const OneWay way = Between({2'000'000, 0}, {1'000'000, 0});
  ASSERT_TRUE(way.explanation);
  EXPECT_THAT(*way.explanation, HasSubstr("1 ms before it was sent"));
  EXPECT_THAT(*way.explanation, Not(HasSubstr("±")));
}

}  // namespace
}  // namespace edgewise::clocks
