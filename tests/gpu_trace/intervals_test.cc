#include "gpu/intervals.h"

#include <gtest/gtest.h>

namespace edgewise::gpu {
namespace {

TEST(IntervalsTest, TheUnionJoinsWhatTouchesOrOverlaps) {
  const auto merged = Union({{50, 60}, {0, 10}, {5, 20}, {20, 30}, {40, 40}});
  ASSERT_EQ(merged.size(), 3u);
  EXPECT_EQ(merged[0].start_ns, 0u);
  EXPECT_EQ(merged[0].end_ns, 30u);
  EXPECT_EQ(TotalNs(merged), 40u);
}

TEST(IntervalsTest, SharedTimeIsThatOfBoth) {
  EXPECT_EQ(SharedNs({{0, 10}, {20, 30}}, {{5, 25}}), 10u);
  EXPECT_EQ(SharedNs({{0, 10}}, {{10, 20}}), 0u);
  EXPECT_EQ(SharedNs({}, {{10, 20}}), 0u);
  EXPECT_EQ(SharedNs({{0, 100}}, {{10, 20}, {30, 40}, {90, 200}}), 30u);
}

}  // namespace
}  // namespace edgewise::gpu
