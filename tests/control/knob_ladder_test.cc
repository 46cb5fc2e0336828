#include "control/knob_ladder.h"

#include <gtest/gtest.h>

namespace edgewise::control {
namespace {

KnobLadder Ladder() {
  KnobLadder ladder;
  ladder.SetKnobs({{"stride", {1, 2, 4, 8}}, {"size", {640, 320}}},
                  {{"stride", 1, 4, 1}, {"size", 100, 1000, 640}});
  return ladder;
}

TEST(KnobLadderTest, ValuesOutsideTheDeclaredRangeAreNoLevels) {
  const KnobLadder ladder = Ladder();
  ASSERT_EQ(ladder.levels(), 4U);
  using Values = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(ladder.ValuesAt(0), (Values{{"stride", 1}, {"size", 640}}));
  EXPECT_EQ(ladder.ValuesAt(2), (Values{{"stride", 4}, {"size", 640}}));
  EXPECT_EQ(ladder.ValuesAt(3), (Values{{"stride", 4}, {"size", 320}}));
}

TEST(KnobLadderTest, AKnobThatTheAppHasNotMakesNoLevel) {
  KnobLadder ladder;
  ladder.SetKnobs({{"stride", {1, 2}}}, {});
  EXPECT_EQ(ladder.levels(), 1U);
  EXPECT_EQ(ladder.CoresAtLevels(0.5), std::vector<double>{0.5});
}

TEST(KnobLadderTest, WhatAStepSavesIsGuessedAndThenLearned) {
  KnobLadder ladder = Ladder();
  EXPECT_DOUBLE_EQ(ladder.CoresAtLevels(1)[1], 0.5);
  ladder.Turn(1, 1, kNsPerSecond);
  ladder.Learn(0.9, 2 * kNsPerSecond);  // too early
  EXPECT_DOUBLE_EQ(ladder.CoresAtLevels(0.5)[0], 1);
  ladder.Learn(0.8, 10 * kNsPerSecond);
  EXPECT_DOUBLE_EQ(ladder.CoresAtLevels(0.8)[0], 1);
}

TEST(KnobLadderTest, GoingBackWaitsAndLongerIfItFailed) {
  KnobLadder ladder = Ladder();
  int64_t now_ns = kNsPerSecond;
  ladder.Turn(1, 1, now_ns);
  EXPECT_EQ(ladder.BestLevelNow(now_ns + 10 * kNsPerSecond), 1U);
  now_ns += 20 * kNsPerSecond;
  EXPECT_EQ(ladder.BestLevelNow(now_ns), 0U);
  ladder.Turn(0, 0.5, now_ns);
  now_ns += 5 * kNsPerSecond;
  ladder.Turn(1, 1, now_ns);
  EXPECT_EQ(ladder.BestLevelNow(now_ns + 30 * kNsPerSecond), 1U);
  EXPECT_EQ(ladder.BestLevelNow(now_ns + 40 * kNsPerSecond), 0U);
}

}  // namespace
}  // namespace edgewise::control
