#include "sessions/stop_ladder.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(StopLadderTest, NothingIsSentBeforeItStarts) {
  StopLadder ladder(5);
  EXPECT_EQ(ladder.Due(1000), std::nullopt);
  EXPECT_EQ(ladder.next_at_ns(), std::nullopt);
}

TEST(StopLadderTest, ClimbsFromInterruptToKillAfterGrace) {
  StopLadder ladder(5);
  ladder.Start(100);
  EXPECT_EQ(ladder.Due(100), SIGINT);
  EXPECT_EQ(ladder.Due(104), std::nullopt);
  EXPECT_EQ(ladder.next_at_ns(), 105);
  EXPECT_EQ(ladder.Due(105), SIGTERM);
  EXPECT_EQ(ladder.Due(110), SIGKILL);
  EXPECT_EQ(ladder.Due(1000), std::nullopt);
  EXPECT_EQ(ladder.next_at_ns(), std::nullopt);
}

TEST(StopLadderTest, SecondStartClimbsAtOnce) {
  StopLadder ladder(1000);
  ladder.Start(100);
  EXPECT_EQ(ladder.Due(100), SIGINT);
  ladder.Start(101);
  EXPECT_EQ(ladder.Due(101), SIGTERM);
  ladder.Start(102);
  EXPECT_EQ(ladder.Due(102), SIGKILL);
  ladder.Start(103);
  EXPECT_EQ(ladder.Due(103), std::nullopt);
}

}  // namespace
}  // namespace edgewise
