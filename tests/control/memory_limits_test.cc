#include "control/memory_limits.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace edgewise::control {
namespace {

constexpr int64_t kMiB = 1 << 20;

AppObservation App(uint64_t id, int64_t working_set) {
  AppObservation app;
  app.id = id;
  app.working_set_bytes = working_set;
  return app;
}

TEST(MemoryLimitsTest, ALimitIsNeverBelowTheWorkingSetAndAMargin) {
  NodeObservation node;
  node.apps = {App(1, 100 * kMiB)};
  node.apps[0].goal.max_memory_bytes = 50 * kMiB;
  MemoryLimits memory;
  EXPECT_EQ(memory.Update(node, 0).at(1), 120 * kMiB);
  node.apps[0].goal.max_memory_bytes = 500 * kMiB;
  EXPECT_EQ(memory.Update(node, 0).at(1), 500 * kMiB);
}

TEST(MemoryLimitsTest, WhileMemoryIsShortAppsWithoutAGoalAreHeldToWhatTheyUse) {
  NodeObservation node;
  node.now_ns = kNsPerSecond;
  node.available_memory_bytes = 100 * kMiB;
  node.apps = {App(1, 100 * kMiB), App(2, 10 * kMiB)};
  node.apps[0].goal.goal = *ParseGoal("fps >= 1");
  MemoryLimits memory;
  auto limits = memory.Update(node, 256 * kMiB);
  EXPECT_FALSE(limits.contains(1));
  EXPECT_EQ(limits.at(2), 26 * kMiB);
  // It may grow beyond: then the limit follows.
  node.apps[1].working_set_bytes = 40 * kMiB;
  EXPECT_EQ(memory.Update(node, 256 * kMiB).at(2), 56 * kMiB);
  node.available_memory_bytes = 1000 * kMiB;
  EXPECT_TRUE(memory.Update(node, 256 * kMiB).contains(2));
  node.now_ns += 31 * kNsPerSecond;
  EXPECT_TRUE(memory.Update(node, 256 * kMiB).empty());
}

TEST(MemoryLimitsTest, AnAppWhoseWorkingSetIsUnknownIsLeftAlone) {
  NodeObservation node;
  node.apps = {App(1, 0)};
  node.apps[0].working_set_bytes.reset();
  node.apps[0].goal.max_memory_bytes = kMiB;
  MemoryLimits memory;
  EXPECT_TRUE(memory.Update(node, 0).empty());
}

}  // namespace
}  // namespace edgewise::control
