#include "experiments/contend_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace edgewise {
namespace {

using ::testing::SizeIs;

Actor App(const std::string& name) { return {name, {name}, "", std::nullopt}; }

std::string TextOf(const Deployment& deployment) {
  std::string text = deployment.subject.name;
  for (const Actor& actor : deployment.beside) {
    text += " " + actor.name;
  }
  return text;
}

std::vector<std::string> TextsOf(const std::vector<Deployment>& plan) {
  std::vector<std::string> texts;
  for (const Deployment& deployment : plan) {
    texts.push_back(TextOf(deployment));
  }
  return texts;
}

TEST(ContendPlanTest, BaselinesAreInRounds) {
  const auto plan = PlanBaselines({App("a"), App("b"), App("c")}, 4, 1);
  ASSERT_THAT(plan, SizeIs(12));
  for (size_t round = 0; round < 4; ++round) {
    std::set<std::string> names;
    for (size_t i = 0; i < 3; ++i) {
      const Deployment& each = plan[3 * round + i];
      EXPECT_TRUE(each.baseline());
      EXPECT_EQ(each.repeat, static_cast<int>(round));
      names.insert(each.subject.name);
    }
    EXPECT_THAT(names, SizeIs(3));
  }
}

TEST(ContendPlanTest, PointsOfAnAppLieBetweenBaselines) {
  const auto plan =
      PlanAgainst(App("a"), {App("n1"), App("n2"), App("n3"), App("n4")}, 2, 1);
  EXPECT_TRUE(plan.front().baseline());
  EXPECT_TRUE(plan.back().baseline());
  std::map<std::string, int> counts;
  int since_baseline = 0;
  for (const Deployment& each : plan) {
    ++counts[TextOf(each)];
    since_baseline = each.baseline() ? 0 : since_baseline + 1;
    EXPECT_LE(since_baseline, 3);
  }
  for (const char* point : {"a n1", "a n2", "a n3", "a n4"}) {
    EXPECT_EQ(counts[point], 2) << point;
  }
}

TEST(ContendPlanTest, EveryPairIsMeasuredOnceARoundWhateverItsOrder) {
  const auto plan = PlanPairs({App("a"), App("b"), App("c")}, {App("x")}, 2, 7);
  std::map<std::string, int> pairs;
  std::map<std::string, int> baselines;
  for (const Deployment& each : plan) {
    if (each.baseline()) {
      ++baselines[each.subject.name];
      continue;
    }
    ASSERT_THAT(each.beside, SizeIs(1));
    std::string low = each.subject.name;
    std::string high = each.beside.front().name;
    // An extra neighbour is never the subject.
    EXPECT_NE(low, "x");
    if (high < low) {
      std::swap(low, high);
    }
    ++pairs[low + high];
  }
  EXPECT_THAT(pairs, SizeIs(9));  // aa ab ac bb bc cc ax bx cx
  for (const auto& [pair, count] : pairs) {
    EXPECT_EQ(count, 2) << pair;
  }
  for (const char* app : {"a", "b", "c"}) {
    EXPECT_EQ(baselines[app], 3) << app;
  }
}

TEST(ContendPlanTest, TheSameSeedGivesTheSameOrderAndAnotherAnother) {
  const std::vector<Actor> apps{App("a"), App("b"), App("c"), App("d")};
  EXPECT_EQ(TextsOf(PlanPairs(apps, {}, 3, 5)),
            TextsOf(PlanPairs(apps, {}, 3, 5)));
  EXPECT_NE(TextsOf(PlanPairs(apps, {}, 3, 5)),
            TextsOf(PlanPairs(apps, {}, 3, 6)));
}

TEST(ContendPlanTest, RandomDrawsAsManyAsAskedWithDialsInRange) {
  const auto plan = PlanRandom({App("a"), App("b")}, {App("x")}, "edgewise",
                               {StressKind::kCpu, StressKind::kDisk}, 40, 3);
  int drawn = 0;
  std::set<std::string> neighbours;
  for (const Deployment& each : plan) {
    drawn += each.baseline() ? 0 : 1;
    for (const Actor& beside : each.beside) {
      neighbours.insert(beside.name.substr(0, beside.name.find(':')));
      if (beside.stress) {
        EXPECT_GT(beside.stress->dial_percent, 0);
        EXPECT_LE(beside.stress->dial_percent, 100);
      }
    }
  }
  EXPECT_EQ(drawn, 40);
  EXPECT_EQ(neighbours, (std::set<std::string>{"a", "b", "x", "cpu", "disk"}));
}

}  // namespace
}  // namespace edgewise
