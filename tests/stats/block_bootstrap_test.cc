#include "stats/block_bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "series.h"
#include "stats/moments.h"

namespace edgewise::stats {
namespace {

TEST(BlockBootstrapTest, IndependentSamplesAreDrawnOneByOne) {
  const BlockPlan plan = PlanBlocks(100, 100);
  EXPECT_EQ(plan.cells, 100u);
  EXPECT_EQ(plan.cells_per_block, 1u);
  EXPECT_EQ(plan.blocks, 100u);
}

TEST(BlockBootstrapTest, BlocksSpanFiveAutocorrelationTimes) {
  const BlockPlan plan = PlanBlocks(1000, 250);
  EXPECT_EQ(plan.cells_per_block, 20u);
  EXPECT_EQ(plan.blocks, 50u);
}

TEST(BlockBootstrapTest, AtLeastTenBlocksAndAtMostAThousandCells) {
  EXPECT_GE(PlanBlocks(1000, 2).blocks, 10u);
  const BlockPlan large = PlanBlocks(10'000'000, 10'000'000);
  EXPECT_EQ(large.cells, kMaxCells);
  EXPECT_EQ(large.blocks, kMaxCells);
  EXPECT_EQ(PlanBlocks(1, 1).blocks, 1u);
}

TEST(BlockBootstrapTest, SpreadOfIndependentMeansIsTheStandardError) {
  Random random(1);
  const std::vector<double> series = AutoregressiveSeries(5000, 0, &random);
  const std::vector<double> means =
      BootstrapMeans(series, PlanBlocks(5000, 5000), 2000, &random);
  EXPECT_NEAR(*MomentsOf(means).stddev(), 1 / std::sqrt(5000), 0.0012);
}

TEST(BlockBootstrapTest, SpreadOfDependentMeansAllowsForTheDependence) {
  Random random(2);
  const std::vector<double> series = AutoregressiveSeries(20'000, 0.8, &random);
  const std::vector<double> means =
      BootstrapMeans(series, PlanBlocks(20'000, 20'000 / 9.0), 2000, &random);
  // The autocorrelation time is nine.
  EXPECT_NEAR(*MomentsOf(means).stddev(), 3 / std::sqrt(20'000), 0.004);
}

TEST(BlockBootstrapTest, SpreadOfMediansIsTheAsymptoticError) {
  Random random(3);
  const std::vector<double> series = AutoregressiveSeries(4000, 0, &random);
  const std::vector<double> medians = BootstrapQuantiles(
      series, 0.5, 4000, PlanBlocks(4000, 4000), 2000, &random);
  // sqrt(pi / 2) standard errors of the mean, for a normal sample.
  EXPECT_NEAR(*MomentsOf(medians).stddev(), 1.2533 / std::sqrt(4000), 0.003);
}

TEST(BlockBootstrapTest, QuantilesAreSamples) {
  Random random(4);
  const std::vector<double> series = ShuffledRanks(50, &random);
  for (const double value :
       BootstrapQuantiles(series, 0.9, 50, PlanBlocks(50, 50), 200, &random)) {
    EXPECT_EQ(value, std::floor(value));
    EXPECT_GE(value, 1);
    EXPECT_LE(value, 50);
  }
}

TEST(BlockBootstrapTest, ThinningKeepsOrderAndCoversTheSeries) {
  Random random(5);
  const std::vector<double> thinned = ThinToSize(Ranks(1000), 100, &random);
  ASSERT_EQ(thinned.size(), 100u);
  for (size_t i = 0; i < 100; ++i) {
    EXPECT_GT(thinned[i], 10 * static_cast<double>(i));
    EXPECT_LE(thinned[i], 10 * static_cast<double>(i + 1));
  }
  EXPECT_EQ(ThinToSize(Ranks(5), 100, &random), Ranks(5));
}

}  // namespace
}  // namespace edgewise::stats
