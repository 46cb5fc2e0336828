#include "prediction/cost_terms.h"

#include <gtest/gtest.h>

#include "prediction/small_fleet.h"

namespace edgewise {
namespace {

double Term(const CostVector& costs, CostTerm term) {
  return costs[static_cast<size_t>(term)];
}

TEST(CostTermsTest, PointwiseConvolutionCountsItsMacs) {
  const CostVector costs = CostsOf(Convolution(1, 64, 128, 10));
  EXPECT_DOUBLE_EQ(Term(costs, CostTerm::kPointwiseMacs), 64 * 128 * 100e-6);
  EXPECT_DOUBLE_EQ(Term(costs, CostTerm::kInputBytes), 4e-6 * 64 * 100);
  EXPECT_DOUBLE_EQ(Term(costs, CostTerm::kOutputBytes), 4e-6 * 128 * 100);
  EXPECT_EQ(Term(costs, CostTerm::kLayers), 1);
  EXPECT_EQ(Term(costs, CostTerm::kWinogradMacs), 0);
}

TEST(CostTermsTest, WinogradCountsWholeTilesOfTheCheapestTiling) {
  // 12x12: four tiles of F(6,3), 64 products each, beat nine of F(4,3).
  EXPECT_DOUBLE_EQ(
      Term(CostsOf(Convolution(3, 16, 16, 12)), CostTerm::kWinogradMacs),
      256 * 256e-6);
  // 4x4: one tile of F(4,3), 36 products.
  EXPECT_DOUBLE_EQ(
      Term(CostsOf(Convolution(3, 16, 16, 4)), CostTerm::kWinogradMacs),
      36 * 256e-6);
}

TEST(CostTermsTest, ChannelsThatDoNotFillAVectorAreATermOfTheirOwn) {
  EXPECT_GT(
      Term(CostsOf(Convolution(3, 512, 126, 18)), CostTerm::kUnpackedMacs), 0);
  EXPECT_EQ(
      Term(CostsOf(Convolution(3, 512, 128, 18)), CostTerm::kUnpackedMacs), 0);
}

TEST(CostTermsTest, Int8HasTermsOfItsOwn) {
  Layer layer = Convolution(1, 64, 64, 10);
  layer.int8 = true;
  const CostVector costs = CostsOf(layer);
  EXPECT_GT(Term(costs, CostTerm::kInt8PointwiseMacs), 0);
  EXPECT_EQ(Term(costs, CostTerm::kPointwiseMacs), 0);
}

TEST(CostTermsTest, LayersThatOnlyNameOthersCostNothing) {
  Layer layer;
  layer.type = "Split";
  layer.in_shape = layer.out_shape = {64, 10, 10};
  EXPECT_EQ(CostsOf(layer), CostVector{});
}

TEST(CostTermsTest, LargerLayersOfAKindNeverCostLess) {
  for (const int64_t kernel : {1, 3, 5, 7}) {
    CostVector last{};
    for (int64_t side = 1; side <= 64; ++side) {
      if (side == 1 && kernel != 1) {
        continue;
      }
      if (side <= 2) {  // one pixel is a product of its own kind
        last = CostsOf(Convolution(kernel, 32, 32, 2));
        continue;
      }
      const CostVector costs = CostsOf(Convolution(kernel, 32, 32, side));
      for (size_t k = 0; k < kCostTerms; ++k) {
        EXPECT_GE(costs[k], last[k])
            << kernel << "x" << kernel << " at " << side;
      }
      last = costs;
    }
  }
}

TEST(CostTermsTest, Int8AndFp32OfANetworkAreOneFamily) {
  EXPECT_EQ(FamilyOf("resnet18_int8"), "resnet18");
  EXPECT_EQ(FamilyOf("resnet18"), "resnet18");
}

}  // namespace
}  // namespace edgewise
