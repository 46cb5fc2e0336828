// What holds whatever the clock does: upper bounds, and ends.
#include "stress/pace.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/clock.h"

namespace edgewise {
namespace {

TEST(PaceTest, NeverMoreThanTheRateAndOneSlice) {
  const std::atomic<bool> cancelled = false;
  const int64_t begin_ns = MonotonicNs();
  const double done = DoAtRate(StopClock(cancelled).Within(60 * kNsPerMs), 5000,
                               [] { return 1.0; });
  const double elapsed_s = static_cast<double>(MonotonicNs() - begin_ns) / 1e9;
  EXPECT_GT(done, 0);
  EXPECT_LE(done, 5000 * (elapsed_s + 0.010) + 1);
}

TEST(PaceTest, PiecesLargerThanASliceAreMadeUpForByRest) {
  const std::atomic<bool> cancelled = false;
  const int64_t begin_ns = MonotonicNs();
  // Each piece is worth five slices.
  const double done = DoAtRate(StopClock(cancelled).Within(100 * kNsPerMs), 100,
                               [] { return 5.0; });
  const double elapsed_s = static_cast<double>(MonotonicNs() - begin_ns) / 1e9;
  EXPECT_LE(done, 100 * elapsed_s + 5);
}

TEST(PaceTest, NothingIsDoneAtRateZero) {
  const std::atomic<bool> cancelled = false;
  int calls = 0;
  EXPECT_EQ(DoAtRate(StopClock(cancelled).Within(20 * kNsPerMs), 0,
                     [&calls] { return ++calls; }),
            0);
  EXPECT_EQ(calls, 0);
}

TEST(PaceTest, ACancelledClockIsOverAtOnce) {
  const std::atomic<bool> cancelled = true;
  const StopClock stop(cancelled);
  EXPECT_TRUE(stop.Over());
  // Would not come back otherwise.
  stop.SleepUntil(stop.deadline_ns());
  EXPECT_EQ(DoAtRate(stop, std::numeric_limits<double>::infinity(),
                     [] { return 1.0; }),
            0);
}

TEST(PaceTest, APieceThatFailsEndsIt) {
  const std::atomic<bool> cancelled = false;
  int calls = 0;
  const double done = DoAtRate(
      StopClock(cancelled), std::numeric_limits<double>::infinity(), [&calls] {
        ++calls;
        return calls == 3 ? -1.0 : 10.0;
      });
  EXPECT_EQ(done, 20);
  EXPECT_EQ(calls, 3);
}

TEST(PaceTest, TheEarlierEndCounts) {
  const std::atomic<bool> cancelled = false;
  const StopClock soon = StopClock(cancelled).Within(kNsPerMs);
  EXPECT_EQ(soon.Within(kNsPerSecond).deadline_ns(), soon.deadline_ns());
}

}  // namespace
}  // namespace edgewise
