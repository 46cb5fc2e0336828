#include "stress/micro_kernels.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

// Between a microcontroller and what no processor of today does.
TEST(MicroKernelsTest, SpeedsAreThoseOfAMachine) {
  for (const int threads : {1, 2}) {
    EXPECT_GT(MegaMacsPerMs(threads), 0.001);
    EXPECT_LT(MegaMacsPerMs(threads), 1e5);
    EXPECT_GT(MegabytesPerMs(threads), 0.001);
    EXPECT_LT(MegabytesPerMs(threads), 1e5);
  }
}

}  // namespace
}  // namespace edgewise
