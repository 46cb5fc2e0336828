#include "control/heat.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace edgewise::control {
namespace {

TEST(HeatTest, ANodeThatIsTooHotMayUseLessAndLaterMoreAgain) {
  HeatLimit heat;
  int64_t now_ns = 0;
  for (int second = 0; second < 12; ++second, now_ns += kNsPerSecond) {
    heat.Update(80, 85, now_ns);
  }
  EXPECT_NEAR(heat.share(), 0.7, 1e-9);
  // Just below the limit nothing moves.
  for (int second = 0; second < 120; ++second, now_ns += kNsPerSecond) {
    EXPECT_FALSE(heat.Update(80, 78, now_ns));
  }
  for (int second = 0; second < 120; ++second, now_ns += kNsPerSecond) {
    heat.Update(80, 60, now_ns);
  }
  EXPECT_NEAR(heat.share(), 1, 1e-9);
}

TEST(HeatTest, WithoutALimitOrAThermometerNothingHappens) {
  HeatLimit heat;
  EXPECT_FALSE(heat.Update(std::nullopt, 150, 0));
  EXPECT_FALSE(heat.Update(80, std::nullopt, 0));
  EXPECT_EQ(heat.share(), 1);
}

}  // namespace
}  // namespace edgewise::control
