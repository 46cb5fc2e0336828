#include "stats/rank_selector.h"

#include <gtest/gtest.h>

#include "series.h"

namespace edgewise::stats {
namespace {

TEST(RankSelectorTest, EveryRankInAnyOrder) {
  Random random(1);
  for (const size_t n : {1, 2, 10, 1000}) {
    RankSelector selector(ShuffledRanks(n, &random));
    for (int i = 0; i < 300; ++i) {
      const int64_t rank = 1 + random.Below(n);
      ASSERT_EQ(selector.At(rank), static_cast<double>(rank));
    }
    EXPECT_EQ(selector.At(1), 1);
    EXPECT_EQ(selector.At(selector.size()), static_cast<double>(n));
  }
}

TEST(RankSelectorTest, TiesAreKept) {
  RankSelector selector(std::vector<double>{2, 1, 2, 1, 2});
  EXPECT_EQ(selector.At(2), 1);
  EXPECT_EQ(selector.At(3), 2);
  EXPECT_EQ(selector.At(5), 2);
}

}  // namespace
}  // namespace edgewise::stats
