#include "prediction/conformal.h"

#include <gtest/gtest.h>

#include "stats/random.h"

namespace edgewise {
namespace {

std::vector<Miss> NormalMisses(int groups, int each) {
  stats::Random random(11);
  std::vector<Miss> misses;
  for (int g = 0; g < groups; ++g) {
    const double common = 0.1 * random.Normal();
    for (int i = 0; i < each; ++i) {
      misses.push_back(
          {common + 0.1 * random.Normal(), "g" + std::to_string(g)});
    }
  }
  return misses;
}

TEST(ConformalTest, NineOfTenMissesOfOtherGroupsFallWithin) {
  const auto coverage = CrossCoverage(NormalMisses(60, 40), 0.9);
  ASSERT_TRUE(coverage);
  EXPECT_NEAR(*coverage, 0.9, 0.03);
}

TEST(ConformalTest, PredictionsThatAreTooHighGetRoomBelow) {
  auto misses = NormalMisses(20, 20);
  for (Miss& miss : misses) {
    miss.log_error += 0.5;
  }
  const auto width = ConformalWidth(misses, 0.9);
  ASSERT_TRUE(width);
  EXPECT_GT(width->below, 0.5);
  EXPECT_EQ(width->above, 0);
}

TEST(ConformalTest, FewGroupsPromiseNothing) {
  EXPECT_FALSE(ConformalWidth(NormalMisses(9, 100), 0.9));
  EXPECT_FALSE(CrossCoverage(NormalMisses(9, 100), 0.9));
}

}  // namespace
}  // namespace edgewise
