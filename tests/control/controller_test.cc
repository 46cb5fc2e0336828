#include "control/controller.h"

#include <gtest/gtest.h>

#include "simulated_node.h"

namespace edgewise::control {
namespace {

NodeLimits Limits() { return {}; }

SimulatedApp Tracker(double weight = 3) {
  SimulatedApp app;
  app.name = "car-tracker";
  app.goal.goal = *ParseGoal("fps >= 15");
  app.goal.weight = weight;
  app.cost_s = 0.03;
  app.offered_per_s = 20;
  return app;
}

SimulatedApp Anomaly() {
  SimulatedApp app;
  app.name = "anomaly";
  app.goal.goal = *ParseGoal("p95(inference) <= 900ms");
  app.cost_s = 0.15;
  app.offered_per_s = 3;
  return app;
}

SimulatedApp Batch() {
  SimulatedApp app;
  app.name = "batch";
  app.goal.weight = 0.2;
  app.threads = 6;
  return app;
}

double Met(const SimulatedApp& app) {
  return static_cast<double>(app.met) / app.seconds;
}

TEST(ControllerTest, GoalsAreKeptThroughALoadStepThatWouldBreakThem) {
  for (const bool controlled : {false, true}) {
    SimulatedNode node(Limits(), 2);
    node.controlled = controlled;
    SimulatedApp& tracker = node.Add(Tracker());
    SimulatedApp& anomaly = node.Add(Anomaly());
    node.Seconds(30);
    node.Add(Batch());
    tracker.cost_s *= 1.5;
    node.Seconds(5);  // to recover
    node.ResetScores();
    node.Seconds(180);
    if (controlled) {
      EXPECT_GE(Met(tracker), 0.95);
      EXPECT_GE(Met(anomaly), 0.95);
      // No oscillation: two limits a minute at most.
      EXPECT_LE(node.Changes(), 6);
    } else {
      EXPECT_LT(Met(tracker), 0.7);
    }
  }
}

TEST(ControllerTest, NothingMovesAtASteadyStateWhateverTheNoise) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SimulatedNode node(Limits(), 2, seed);
    node.Add(Tracker());
    node.Add(Anomaly());
    node.Add(Batch());
    node.Seconds(60);
    node.ResetScores();
    node.Seconds(600);
    EXPECT_LE(node.Changes(), 20) << "seed " << seed;
    for (const SimulatedApp& app : node.apps) {
      if (app.goal.goal) {
        EXPECT_GE(Met(app), 0.95) << app.name << ", seed " << seed;
      }
    }
  }
}

TEST(ControllerTest, AnAppThatNeedsOneFrameDoesNotHoldThirtyFramesWorth) {
  SimulatedNode node(Limits(), 2);
  SimulatedApp greedy = Tracker();
  greedy.goal.goal = *ParseGoal("fps >= 1");
  greedy.offered_per_s = 0;
  SimulatedApp& app = node.Add(greedy);
  node.Seconds(20);
  ASSERT_TRUE(app.setting.quota_cores);
  EXPECT_LT(*app.setting.quota_cores, 0.1);
  EXPECT_GE(app.items_per_s, 1);
}

TEST(ControllerTest, TheLighterGoalGivesWayAndIsToldWhy) {
  SimulatedNode node(Limits(), 2);
  SimulatedApp heavy = Tracker(5);
  heavy.cost_s = 0.08;
  heavy.threads = 2;
  SimulatedApp light = Tracker(1);
  light.name = "light";
  light.cost_s = 0.06;
  light.threads = 2;
  node.Add(heavy);
  node.Add(light);
  node.Seconds(30);
  const Decision* told = node.Last(DecisionKind::kGivesWay);
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(told->app, "light/0");
  EXPECT_NE(told->why.find("weigh"), std::string::npos);
  EXPECT_GT(*told->node_wanted_cores, *told->node_capacity_cores);
  node.ResetScores();
  node.Seconds(60);
  EXPECT_GE(Met(node.apps[0]), 0.95);
  // It ends; the other has enough again.
  node.apps.pop_front();
  node.Seconds(5);
  EXPECT_NE(node.Last(DecisionKind::kMeetsAgain), nullptr);
  node.ResetScores();
  node.Seconds(60);
  EXPECT_GE(Met(node.apps[0]), 0.95);
}

TEST(ControllerTest, AKnobIsTurnedUnderLoadAndTurnedBackAfterIt) {
  SimulatedNode node(Limits(), 2);
  SimulatedApp& tracker = node.Add(Tracker());
  tracker.threads = 2;
  SimulatedApp knobbed = Anomaly();
  knobbed.cost_s = 0.25;
  knobbed.threads = 2;
  knobbed.goal.knobs = {{"stride", {1, 2, 4, 8}}};
  knobbed.knobs = {{"stride", 1, 8, 1}};
  SimulatedApp& anomaly = node.Add(knobbed);
  node.Seconds(20);
  EXPECT_EQ(anomaly.Stride(), 1);
  tracker.cost_s = 0.06;
  node.Seconds(10);
  EXPECT_GE(anomaly.Stride(), 2);
  EXPECT_EQ(node.Last(DecisionKind::kGivesWay), nullptr);
  node.ResetScores();
  node.Seconds(60);
  EXPECT_GE(Met(tracker), 0.95);
  EXPECT_GE(Met(anomaly), 0.95);
  tracker.cost_s = 0.02;
  node.Seconds(400);
  EXPECT_EQ(anomaly.Stride(), 1);
}

TEST(ControllerTest, HeatTakesCapacityAway) {
  NodeLimits limits;
  limits.thermal_limit_c = 80;
  SimulatedNode node(limits, 2);
  node.Add(Batch());
  node.Seconds(10);
  EXPECT_NEAR(node.controller.capacity_cores(), 1.8, 1e-9);
  node.celsius = 90;
  node.Seconds(15);
  EXPECT_LT(node.controller.capacity_cores(), 1.5);
  ASSERT_NE(node.Last(DecisionKind::kHeat), nullptr);
  EXPECT_LE(*node.apps[0].setting.quota_cores, 1.5);
}

TEST(ControllerTest, AGoalThatCpuDoesNotHelpIsSaidOnceAndNotFed) {
  SimulatedNode node(Limits(), 2);
  SimulatedApp& starved = node.Add(Tracker());
  node.Seconds(20);
  starved.offered_per_s = 5;  // its camera is slow
  starved.backlog = 0;
  node.ResetScores();
  node.Seconds(60);
  EXPECT_NE(node.Last(DecisionKind::kNoHelp), nullptr);
  EXPECT_LE(node.Changes(), 2);
  EXPECT_LT(*starved.setting.quota_cores, 1);
}

TEST(ControllerTest, MinimumAndMaximumHold) {
  SimulatedNode node(Limits(), 4);
  SimulatedApp app = Tracker();
  app.goal.min_cpu_cores = 0.7;
  app.goal.max_cpu_cores = 0.8;
  node.Add(app);
  node.Seconds(30);
  EXPECT_GE(*node.apps[0].setting.quota_cores, 0.7);
  node.apps[0].cost_s = 0.2;
  node.Seconds(30);
  EXPECT_LE(*node.apps[0].setting.quota_cores, 0.8 + 1e-9);
}

TEST(ControllerTest, TheCardIsUsedBeforeAnythingIsMeasured) {
  Controller controller{NodeLimits{}};
  NodeObservation node;
  node.now_ns = kNsPerSecond;
  node.cores = 2;
  AppObservation app;
  app.id = 1;
  app.name = "a/0";
  app.goal.goal = *ParseGoal("fps >= 15");
  app.card_cores = 0.6;
  node.apps = {app};
  const ControlStep step = controller.Step(node);
  ASSERT_EQ(step.settings.size(), 1U);
  EXPECT_DOUBLE_EQ(*step.settings[0].quota_cores, 0.6);
}

TEST(ControllerTest, AnAppThatIsOnlyObservedIsCountedAndNotSet) {
  SimulatedNode node(Limits(), 2);
  SimulatedApp foreign = Batch();
  foreign.threads = 1;
  foreign.only_observed = "A kubelet owns its cgroup";
  node.Add(foreign);
  SimulatedApp& batch = node.Add(Batch());
  node.Seconds(10);
  EXPECT_FALSE(node.apps[0].setting.quota_cores);
  EXPECT_LT(*batch.setting.quota_cores, 0.9);
  EXPECT_NE(node.Last(DecisionKind::kJoined), nullptr);
}

}  // namespace
}  // namespace edgewise::control
