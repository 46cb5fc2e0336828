#include "stats/tail_claim.h"

#include <gtest/gtest.h>

namespace edgewise::stats {
namespace {

TEST(TailClaimTest, CountsAreThoseOfTheRules) {
  EXPECT_EQ(MlperfQueries(0.9), 24576);
  EXPECT_EQ(MlperfQueries(0.95), 57344);
  EXPECT_EQ(MlperfQueries(0.99), 270336);
}

}  // namespace
}  // namespace edgewise::stats
