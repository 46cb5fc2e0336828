#include "stats/repeats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace edgewise::stats {
namespace {

TEST(RepeatsTest, TheGeometricMeanHasStudentsInterval) {
  // Logarithms 0, 1, 2: mean 1, standard error 1/sqrt(3), t(2) = 4.302653.
  const auto estimate =
      EstimateRepeats(std::vector{1.0, std::exp(1.0), std::exp(2.0)});
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(estimate->value, std::exp(1.0), 1e-12);
  EXPECT_NEAR(std::log(*estimate->low), 1 - 4.302653 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(std::log(*estimate->high), 1 + 4.302653 / std::sqrt(3.0), 1e-6);
}

TEST(RepeatsTest, OneHasNoInterval) {
  const auto estimate = EstimateRepeats(std::vector{5.0});
  ASSERT_TRUE(estimate.has_value());
  EXPECT_DOUBLE_EQ(estimate->value, 5);
  EXPECT_FALSE(estimate->sufficient());
}

TEST(RepeatsTest, NoneIsUnknown) {
  EXPECT_FALSE(EstimateRepeats({}).has_value());
}

TEST(RepeatsTest, WithAZeroThePlainMeanIsTaken) {
  const auto estimate = EstimateRepeats(std::vector{0.0, 2.0});
  ASSERT_TRUE(estimate.has_value());
  EXPECT_DOUBLE_EQ(estimate->value, 1);
}

}  // namespace
}  // namespace edgewise::stats
