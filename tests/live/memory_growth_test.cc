#include "live/memory_growth.h"

#include <gtest/gtest.h>

#include <functional>

namespace edgewise::live {
namespace {

constexpr int64_t kMiB = 1 << 20;

// `bytes` by the number of the point.
MemoryTrail Watched(size_t points, const std::function<int64_t(int)>& bytes) {
  MemoryTrail trail;
  for (int i = 0; i < static_cast<int>(points); ++i) {
    trail.Add((i + 1) * MemoryTrail::kPointEveryNs, bytes(i));
  }
  return trail;
}

TEST(MemoryTrailTest, ALeakIsFoundWithItsRate) {
  const auto growth = Watched(MemoryTrail::kPoints, [](int i) {
                        return 100 * kMiB + i * kMiB + (i % 4) * 2 * kMiB;
                      }).Growth();
  ASSERT_TRUE(growth);
  EXPECT_NEAR(growth->bytes_per_s.slope, kMiB / 15.0, 0.1 * kMiB / 15);
  EXPECT_GT(growth->bytes_per_s.low, 0);
  EXPECT_GE(growth->bytes_per_s.high, growth->bytes_per_s.slope);
  EXPECT_DOUBLE_EQ(growth->over_s, 39 * 15);
}

TEST(MemoryTrailTest, NothingIsSaidBeforeTheWholeTime) {
  EXPECT_FALSE(Watched(MemoryTrail::kPoints - 1, [](int i) {
                 return i * kMiB;
               }).Growth());
}

TEST(MemoryTrailTest, ASawtoothAStartAndAStepAreNoGrowth) {
  const size_t all = MemoryTrail::kPoints;
  EXPECT_FALSE(
      Watched(all, [](int i) { return (100 + i % 10) * kMiB; }).Growth());
  EXPECT_FALSE(
      Watched(all, [](int i) { return (i < 12 ? i : 12) * kMiB; }).Growth());
  EXPECT_FALSE(
      Watched(all, [](int i) { return (i < 20 ? 100 : 200) * kMiB; }).Growth());
  EXPECT_FALSE(Watched(all, [](int) { return 100 * kMiB; }).Growth());
}

TEST(MemoryTrailTest, AStartIsForgottenAfterAWhile) {
  MemoryTrail trail = Watched(3 * MemoryTrail::kPoints,
                              [](int i) { return (i < 60 ? i : 60) * kMiB; });
  EXPECT_FALSE(trail.Growth());
  // Points that come too soon are passed over.
  for (int i = 0; i < 1000; ++i) {
    trail.Add(3 * MemoryTrail::kPoints * MemoryTrail::kPointEveryNs + i, i);
  }
  EXPECT_FALSE(trail.Growth());
}

}  // namespace
}  // namespace edgewise::live
