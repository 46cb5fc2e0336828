#include "mqtt/sequence_account.h"

#include <gtest/gtest.h>

namespace edgewise::mqtt {
namespace {

using Kind = SequenceAccount::Kind;

TEST(SequenceAccountTest, NewLateAndAgainAreToldApart) {
  SequenceAccount account;
  EXPECT_EQ(account.highest(), -1);
  EXPECT_EQ(account.Take(0), Kind::kNew);
  EXPECT_EQ(account.Take(3), Kind::kNew);
  EXPECT_EQ(account.Take(2), Kind::kLate);
  EXPECT_EQ(account.Take(2), Kind::kAgain);
  EXPECT_EQ(account.Take(0), Kind::kAgain);
  EXPECT_EQ(account.unique(), 3);
  EXPECT_EQ(account.duplicated(), 2);
  EXPECT_EQ(account.reordered(), 1);
  EXPECT_EQ(account.highest(), 3);
}

TEST(SequenceAccountTest, AJumpForgetsWhatWasLongAgo) {
  SequenceAccount account;
  account.Take(5);
  const int64_t far = int64_t{1} << 40;
  EXPECT_EQ(account.Take(far), Kind::kNew);
  EXPECT_EQ(account.Take(far - 1), Kind::kLate);
  // Its place in memory was 5's once.
  EXPECT_EQ(account.Take(far - (int64_t{1} << 20) + 5), Kind::kLate);
  EXPECT_EQ(account.Take(5), Kind::kAgain);
}

}  // namespace
}  // namespace edgewise::mqtt
