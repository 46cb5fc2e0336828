#include "probes/slow_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/clock.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;

// When looks that cost this much are taken, in milliseconds after the first,
// if the clock is asked each millisecond.
std::vector<int64_t> LooksMs(SlowClock clock, int64_t cost_ns, int64_t end_ms) {
  constexpr int64_t kStartNs = 7 * kNsPerSecond;
  std::vector<int64_t> looks;
  for (int64_t ms = 0; ms <= end_ms; ++ms) {
    const int64_t now_ns = kStartNs + ms * kNsPerMs;
    if (clock.Due(now_ns)) {
      looks.push_back(ms);
      clock.Looked(now_ns, cost_ns);
    }
  }
  return looks;
}

TEST(SlowClockTest, LooksOftenAtFirstAndThenEachInterval) {
  EXPECT_THAT(LooksMs(SlowClock(kNsPerSecond, 0.001), 1000, 2500),
              ElementsAre(0, 20, 50, 100, 200, 400, 1400, 2400));
}

TEST(SlowClockTest, AShorterIntervalHoldsFromTheStart) {
  EXPECT_THAT(LooksMs(SlowClock(15 * kNsPerMs, 0.001), 0, 60),
              ElementsAre(0, 15, 20, 35, 50));
}

TEST(SlowClockTest, ExpensiveLooksSkipEarlyOnes) {
  // 0.9 ms are 1 % of 90 ms, and 0.1 % of 900 ms.
  EXPECT_THAT(LooksMs(SlowClock(kNsPerSecond, 0.001), 900'000, 1500),
              ElementsAre(0, 100, 200, 400, 1400));
}

TEST(SlowClockTest, VeryExpensiveLooksKeepToTheirShare) {
  EXPECT_THAT(LooksMs(SlowClock(kNsPerSecond, 0.001), 5 * kNsPerMs, 9999),
              ElementsAre(0, 5000));
}

TEST(SlowClockTest, NoCostOverflows) {
  EXPECT_THAT(LooksMs(SlowClock(kNsPerSecond, 1e-12), INT64_MAX, 1000),
              ElementsAre(0));
}

}  // namespace
}  // namespace edgewise
