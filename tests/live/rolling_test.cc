#include "live/rolling.h"

#include <gtest/gtest.h>

namespace edgewise::live {
namespace {

constexpr int64_t kStartNs = 1000 * kNsPerSecond;

// `per_s` values each second for so long, evenly spread, all the same.
int64_t Feed(RollingSketch& rolling, int64_t from_ns, int seconds, int per_s,
             double value) {
  const int64_t step_ns = kNsPerSecond / per_s;
  int64_t now_ns = from_ns;
  for (int i = 0; i < seconds * per_s; ++i, now_ns += step_ns) {
    rolling.Add(value, now_ns);
  }
  return now_ns;
}

TEST(RollingSketchTest, HasNoFiguresWithoutValues) {
  const RollingSketch rolling(kStartNs);
  for (const Window window : kWindows) {
    const WindowFigures figures =
        rolling.Read(window, kStartNs + 10 * kNsPerSecond);
    EXPECT_EQ(figures.count, 0u);
    EXPECT_FALSE(figures.p50.has_value());
    EXPECT_DOUBLE_EQ(figures.rate_per_s.value(), 0);
  }
}

TEST(RollingSketchTest, HasNoRateBeforeAnythingIsCovered) {
  RollingSketch rolling(kStartNs);
  rolling.Add(1, kStartNs);
  EXPECT_FALSE(rolling.Read(Window::k2s, kStartNs).rate_per_s.has_value());
}

TEST(RollingSketchTest, EveryWindowHasTheRate) {
  RollingSketch rolling(kStartNs);
  const int64_t now_ns = Feed(rolling, kStartNs, 400, 30, 5);
  for (const Window window : kWindows) {
    const WindowFigures figures = rolling.Read(window, now_ns);
    EXPECT_NEAR(figures.rate_per_s.value(), 30, 0.5) << WindowName(window);
    EXPECT_NEAR(figures.p50->value, 5, 0.06);
  }
  EXPECT_GE(rolling.Read(Window::k2s, now_ns).count, 60u);
  EXPECT_LE(rolling.Read(Window::k2s, now_ns).count, 76u);
  EXPECT_GE(rolling.Read(Window::k1min, now_ns).count, 1800u);
  EXPECT_LE(rolling.Read(Window::k1min, now_ns).count, 1951u);
  EXPECT_GE(rolling.Read(Window::k5min, now_ns).count, 9000u);
  EXPECT_LE(rolling.Read(Window::k5min, now_ns).count, 9901u);
}

TEST(RollingSketchTest, YoungMetricsDivideByTheirAge) {
  RollingSketch rolling(kStartNs);
  const int64_t now_ns = Feed(rolling, kStartNs, 10, 20, 5);
  EXPECT_EQ(rolling.Read(Window::k5min, now_ns).count, 200u);
  EXPECT_NEAR(rolling.Read(Window::k5min, now_ns).rate_per_s.value(), 20, 0.1);
}

TEST(RollingSketchTest, ShortWindowsForgetFirst) {
  RollingSketch rolling(kStartNs);
  int64_t now_ns = Feed(rolling, kStartNs, 100, 10, 1);
  now_ns = Feed(rolling, now_ns, 10, 10, 100);
  EXPECT_NEAR(rolling.Read(Window::k2s, now_ns).p50->value, 100, 1.1);
  EXPECT_NEAR(rolling.Read(Window::k1min, now_ns).p50->value, 1, 0.02);
  EXPECT_NEAR(rolling.Read(Window::k1min, now_ns).p95->value, 100, 1.1);
}

TEST(RollingSketchTest, SilenceEmptiesTheWindows) {
  RollingSketch rolling(kStartNs);
  const int64_t now_ns = Feed(rolling, kStartNs, 20, 10, 1);
  EXPECT_EQ(rolling.Read(Window::k2s, now_ns + 3 * kNsPerSecond).count, 0u);
  EXPECT_EQ(rolling.Read(Window::k1min, now_ns + 30 * kNsPerSecond).count,
            200u);
  EXPECT_EQ(rolling.Read(Window::k1min, now_ns + 90 * kNsPerSecond).count, 0u);
  EXPECT_EQ(rolling.Read(Window::k5min, now_ns + 400 * kNsPerSecond).count, 0u);
}

TEST(RollingSketchTest, ValuesAfterALongSilenceCountAlone) {
  RollingSketch rolling(kStartNs);
  int64_t now_ns = Feed(rolling, kStartNs, 20, 10, 1);
  now_ns = Feed(rolling, now_ns + 3600 * kNsPerSecond, 1, 10, 7);
  for (const Window window : kWindows) {
    EXPECT_EQ(rolling.Read(window, now_ns).count, 10u) << WindowName(window);
    EXPECT_NEAR(rolling.Read(window, now_ns).p50->value, 7, 0.08);
  }
}

TEST(RollingSketchTest, FewSamplesHaveNoInterval) {
  RollingSketch rolling(kStartNs);
  const int64_t now_ns = Feed(rolling, kStartNs, 2, 30, 1);
  const WindowFigures figures = rolling.Read(Window::k2s, now_ns);
  EXPECT_TRUE(figures.p50->sufficient());
  EXPECT_FALSE(figures.p99->sufficient());
  const WindowFigures bare =
      rolling.Read(Window::k2s, now_ns, Intervals::kWithout);
  EXPECT_FALSE(bare.p50->sufficient());
  EXPECT_DOUBLE_EQ(bare.p99->value, figures.p99->value);
}

}  // namespace
}  // namespace edgewise::live
