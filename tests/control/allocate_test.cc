#include "control/allocate.h"

#include <gtest/gtest.h>

#include <random>

namespace edgewise::control {
namespace {

AppNeed With(uint64_t id, double cores, double weight = 1) {
  AppNeed need;
  need.id = id;
  need.has_goal = true;
  need.weight = weight;
  need.cores_at_level = {cores};
  return need;
}

AppNeed Without(uint64_t id, double weight = 1) {
  AppNeed need;
  need.id = id;
  need.weight = weight;
  need.min_cores = 0.05;
  return need;
}

TEST(AllocateTest, GoalsThatFitGetWhatTheyTakeAndTheRestIsShared) {
  const Allocation done =
      Allocate(2, {With(1, 0.5), With(2, 0.7), Without(3, 3), Without(4, 1)});
  EXPECT_DOUBLE_EQ(done.grants[0].cores, 0.5);
  EXPECT_DOUBLE_EQ(done.grants[1].cores, 0.7);
  EXPECT_FALSE(done.grants[0].gives_way);
  EXPECT_NEAR(done.grants[2].cores, 0.05 + 0.7 * 3 / 4, 1e-9);
  EXPECT_NEAR(done.grants[3].cores, 0.05 + 0.7 / 4, 1e-9);
  EXPECT_NEAR(done.left_cores, 0, 1e-9);
}

TEST(AllocateTest, TheGoalsThatWeighMostTogetherAreMet) {
  // Two light ones are worth more than the heavy one.
  const Allocation done =
      Allocate(1, {With(1, 0.9, 3), With(2, 0.5, 2), With(3, 0.45, 2)});
  EXPECT_TRUE(done.grants[0].gives_way);
  EXPECT_FALSE(done.grants[1].gives_way);
  EXPECT_FALSE(done.grants[2].gives_way);
  EXPECT_NEAR(done.grants[0].cores, 0.05, 1e-9);  // what is left
}

TEST(AllocateTest, NobodyFallsBelowItsMinimum) {
  AppNeed light = With(1, 1.5, 1);
  light.min_cores = 0.4;
  const Allocation done = Allocate(2, {light, With(2, 1.5, 5)});
  EXPECT_TRUE(done.grants[0].gives_way);
  EXPECT_GE(done.grants[0].cores, 0.4);
  EXPECT_DOUBLE_EQ(done.grants[1].cores, 1.5);
}

TEST(AllocateTest, AKnobIsTurnedBeforeAGoalIsGivenUp) {
  AppNeed knobbed = With(1, 1.2, 1);
  knobbed.cores_at_level = {1.2, 0.6, 0.3};
  const Allocation done = Allocate(2, {knobbed, With(2, 1.1, 5)});
  EXPECT_EQ(done.grants[0].level, 1U);
  EXPECT_DOUBLE_EQ(done.grants[0].cores, 0.6);
  EXPECT_FALSE(done.grants[0].gives_way);
  EXPECT_FALSE(done.grants[1].gives_way);
}

TEST(AllocateTest, AKnobIsTurnedIfTheAppMayNotHaveWhatItNeeds) {
  AppNeed knobbed = With(1, 1.2, 1);
  knobbed.max_cores = 0.7;
  knobbed.cores_at_level = {1.2, 0.6};
  EXPECT_EQ(Allocate(2, {knobbed}).grants[0].level, 1U);
}

TEST(AllocateTest, OneThatWasServedIsNotSacrificedForHardlyMoreWeight) {
  AppNeed first = With(1, 0.8, 1);
  first.had_all = true;
  const AppNeed second = With(2, 0.8, 1.05);
  EXPECT_FALSE(Allocate(1, {first, second}).grants[0].gives_way);
  first.had_all = false;
  EXPECT_TRUE(Allocate(1, {first, second}).grants[0].gives_way);
}

TEST(AllocateTest, WhateverIsAskedTheNodeIsNotGivenAwayTwice) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> cores(0, 1.5);
  std::uniform_real_distribution<double> weight(0.1, 5);
  for (int round = 0; round < 2000; ++round) {
    std::vector<AppNeed> needs;
    double minima = 0;
    for (uint64_t id = 1; id <= 6; ++id) {
      AppNeed need = id % 3 == 0 ? Without(id, weight(random))
                                 : With(id, cores(random), weight(random));
      need.min_cores = cores(random) / 10;
      if (id == 2) {
        const double now = need.cores_at_level[0];
        need.cores_at_level = {now, now / 2};
      }
      minima += need.min_cores;
      needs.push_back(need);
    }
    const Allocation done = Allocate(2, needs);
    double sum = 0;
    double met = 0;
    for (size_t i = 0; i < needs.size(); ++i) {
      const AppGrant& grant = done.grants[i];
      EXPECT_GE(grant.cores, needs[i].min_cores - 1e-9);
      sum += grant.cores;
      if (needs[i].has_goal && !grant.gives_way) {
        EXPECT_GE(grant.cores, 0.97 * grant.wanted_cores - 1e-9);
        met += needs[i].weight;
      }
    }
    EXPECT_LE(sum, std::max(2.0, minima) + 1e-6);
    // No other choice of goals weighs more.
    double best = 0;
    for (unsigned choice = 0; choice < 64; ++choice) {
      double used = minima;
      double value = 0;
      for (size_t i = 0; i < needs.size(); ++i) {
        if ((choice >> i & 1U) != 0 && needs[i].has_goal) {
          // A choice must fit with room for rounding to hundredths.
          used += done.grants[i].wanted_cores - needs[i].min_cores + 0.01;
          value += needs[i].weight;
        }
      }
      best = used <= 2 ? std::max(best, value) : best;
    }
    EXPECT_GE(met, best - 1e-6);
  }
}

}  // namespace
}  // namespace edgewise::control
