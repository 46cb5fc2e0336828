#include "clocks/wall_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/clock.h"

namespace edgewise::clocks {
namespace {

using ::testing::HasSubstr;

class WallClockTest : public ::testing::Test {
 protected:
  ~WallClockTest() override {
    ::unsetenv("EDGEWISE_CLOCK_SKEW_NS");
    ::unsetenv("EDGEWISE_CLOCK_DRIFT_PPM");
  }
};

TEST_F(WallClockTest, ItIsUtc) {
  const auto clock = WallClock::FromEnvironment();
  ASSERT_TRUE(clock.ok());
  EXPECT_FALSE(clock->wrong_on_purpose());
  const int64_t before_ns = UtcNs();
  const int64_t now_ns = clock->NowNs();
  const int64_t after_ns = UtcNs();
  // Nobody sets the clock by as much while a test runs.
  EXPECT_GT(now_ns, before_ns - kNsPerSecond);
  EXPECT_LT(now_ns, after_ns + kNsPerSecond);
}

TEST_F(WallClockTest, ItGoesAtThePaceOfTheMonotonicClock) {
  const WallClock clock;
  EXPECT_EQ(clock.At(5'000'000'123) - clock.At(1'000'000'000), 4'000'000'123);
}

TEST_F(WallClockTest, ItCanBeMadeWrong) {
  ::setenv("EDGEWISE_CLOCK_SKEW_NS", "-2000000000", 1);
  ::setenv("EDGEWISE_CLOCK_DRIFT_PPM", "100", 1);
  const auto clock = WallClock::FromEnvironment();
  ASSERT_TRUE(clock.ok()) << clock.error().message;
  EXPECT_TRUE(clock->wrong_on_purpose());
  EXPECT_LT(clock->NowNs(), UtcNs() - kNsPerSecond);
  EXPECT_GT(clock->NowNs(), UtcNs() - 3 * kNsPerSecond);
  const int64_t start_ns = MonotonicNs();
  EXPECT_EQ(clock->At(start_ns + 10 * kNsPerSecond) - clock->At(start_ns),
            10 * kNsPerSecond + 1'000'000);
}

TEST_F(WallClockTest, NonsenseIsRefused) {
  for (const char* text : {"soon", "1e300", "nan", "5 ns"}) {
    ::setenv("EDGEWISE_CLOCK_SKEW_NS", text, 1);
    const auto clock = WallClock::FromEnvironment();
    ASSERT_FALSE(clock.ok()) << text;
    EXPECT_THAT(clock.error().message, HasSubstr("EDGEWISE_CLOCK_SKEW_NS"));
  }
}

}  // namespace
}  // namespace edgewise::clocks
