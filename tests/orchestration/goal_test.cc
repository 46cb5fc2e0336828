#include "orchestration/goal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>

#include "orchestration/explain.h"
#include "orchestration/generate.h"
#include "orchestration/pressure_model.h"
#include "orchestration/server_costs.h"
#include "orchestration/tail.h"

namespace edgewise::orchestration {
namespace {

using testing::HasSubstr;

// Heavy enough that two or three requests fill a server.
PressureFigures HeavyPressures() {
  PressureFigures figures = AssumedPressures();
  figures.apps.resize(4);
  for (PressureApp& app : figures.apps) {
    for (double& pressure : app.exerts) {
      pressure *= 8;
    }
  }
  return figures;
}

class GoalTest : public testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override {
#ifdef EDGEWISE_SOLVER_FOLDER
    ::setenv("EDGEWISE_MODULES", EDGEWISE_SOLVER_FOLDER, 1);
#else
    GTEST_SKIP() << "built without CBC";
#endif
    GenerateSettings settings;
    settings.servers = 3;
    settings.requests = 6;
    settings.memory_bytes = int64_t{6} << 30;
    settings.seed = GetParam();
    instance_ = Generate(settings, model_);
    for (size_t s = 0; s < instance_.servers.size(); ++s) {
      instance_.servers[s].idle_watts = 40 + 15 * static_cast<double>(s);
      instance_.servers[s].busy_watts = 100 + 70 * static_cast<double>(s % 2);
    }
  }

  // A slow machine gets more time to prove something.
  GoalAnswer Reach(const Problem& problem, Goal goal, double seconds = 0.4) {
    OptimiseSettings settings;
    settings.seconds = seconds;
    const auto found = Pursue(problem, goal, settings);
    EXPECT_TRUE(found) << found.error().message;
    if (found && !found->bound && goal != Goal::kTail && seconds < 1) {
      return Reach(problem, goal, 5);
    }
    return found ? *found : GoalAnswer();
  }

  // Calls `each` with every placement that keeps all promises.
  static void EveryPlacement(const Problem& problem, size_t item,
                             std::vector<ServerLoad>& servers,
                             const std::function<void()>& each) {
    if (item == problem.items().size()) {
      each();
      return;
    }
    EveryPlacement(problem, item + 1, servers, each);
    for (ServerLoad& server : servers) {
      if (server.CanAdd(item)) {
        server.Add(item);
        EveryPlacement(problem, item + 1, servers, each);
        server.Remove(item);
      }
    }
  }

  static double CostOf(const Problem& problem, Goal goal,
                       const Assignment& assignment) {
    if (goal == Goal::kTail) {
      return WorstPart(problem, assignment);
    }
    const ServerCosts costs = goal == Goal::kEnergy ? CountingWatts(problem)
                                                    : CountingServers(problem);
    return costs.Total(ServersOf(problem, assignment));
  }

  // The least cost of placements that are as good as `placed`.
  static double LeastByTrying(const Problem& problem, Goal goal,
                              const Assignment& placed) {
    double least = std::numeric_limits<double>::infinity();
    std::vector<ServerLoad> servers = EmptyServers(problem);
    EveryPlacement(problem, 0, servers, [&] {
      const Assignment here = AssignmentOf(problem, servers);
      bool same = true;
      for (size_t i = 0; i < here.size(); ++i) {
        same &= here[i].has_value() == placed[i].has_value();
      }
      const bool counts =
          goal == Goal::kTail
              ? RevenueMicros(problem, here) >= RevenueMicros(problem, placed)
              : same;
      if (counts) {
        least = std::min(least, CostOf(problem, goal, here));
      }
    });
    return least;
  }

  PressureModel model_{HeavyPressures()};
  Instance instance_;
};

TEST_P(GoalTest, TheLeastLiesBetweenTheBoundAndTheAnswer) {
  const auto problem = Problem::Make(instance_, model_, 0.9);
  ASSERT_TRUE(problem) << problem.error().message;
  for (const Goal goal : {Goal::kServers, Goal::kEnergy, Goal::kTail}) {
    SCOPED_TRACE(GoalName(goal));
    const GoalAnswer found = Reach(*problem, goal);
    EXPECT_EQ(FindBrokenPromise(*problem, found.answer.assignment), "");
    EXPECT_LE(found.cost, found.before + 1e-9);
    EXPECT_NEAR(found.cost, CostOf(*problem, goal, found.answer.assignment),
                1e-9);
    const double least = LeastByTrying(*problem, goal, found.answer.assignment);
    EXPECT_LE(least, found.cost + 1e-6);
    if (found.bound) {
      EXPECT_LE(*found.bound, least + 1e-6);
      EXPECT_GT(*found.bound, 0);
    } else {
      EXPECT_EQ(goal, Goal::kTail);
    }
  }
}

TEST_P(GoalTest, BoundsOfAnyItemsHold) {
  const auto problem = Problem::Make(instance_, model_, 0.9);
  ASSERT_TRUE(problem);
  const auto solver = MakeSolver();
  ASSERT_TRUE(solver);
  const ServerCosts watts = CountingWatts(*problem);
  for (const std::vector<size_t>& items :
       {std::vector<size_t>{0, 2}, {1, 3, 4}, {5}}) {
    Assignment wanted(problem->items().size());
    for (const size_t item : items) {
      wanted[item] = 0;
    }
    const double least = LeastByTrying(*problem, Goal::kEnergy, wanted);
    const double bound =
        CostBound(*problem, watts, items, solver->get(), [] { return false; });
    if (least < std::numeric_limits<double>::infinity()) {
      EXPECT_LE(bound, least + 1e-6);
    }
    EXPECT_LE(CostBound(*problem, watts, items, nullptr, [] { return false; }),
              bound + 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GoalTest, testing::Range<uint64_t>(1, 5));

TEST(GoalsTest, EnergyNeedsTheWattsOfEveryServer) {
  const PressureModel model(AssumedPressures());
  GenerateSettings settings;
  settings.servers = 2;
  settings.requests = 4;
  Instance instance = Generate(settings, model);
  instance.servers[1].busy_watts.reset();
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem);
  OptimiseSettings quick;
  quick.seconds = 0.05;
  const auto found = Pursue(*problem, Goal::kEnergy, quick);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("server2"));
}

TEST(GoalsTest, WhatIsNotProvenIsNotCalledZero) {
  const PressureModel model(AssumedPressures());
  const Instance instance = Generate({}, model);
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem);
  OptimiseSettings none;
  none.seconds = 1e-9;
  for (const Goal goal : {Goal::kServers, Goal::kEnergy}) {
    const auto found = Pursue(*problem, goal, none);
    ASSERT_TRUE(found);
    EXPECT_GT(found->cost, 0);
    EXPECT_EQ(found->bound, std::nullopt) << GoalName(goal);
    EXPECT_EQ(found->Gap(), std::nullopt);
  }
}

TEST(GoalsTest, GoalsAreNamed) {
  for (const Goal goal :
       {Goal::kRevenue, Goal::kServers, Goal::kTail, Goal::kEnergy}) {
    EXPECT_EQ(ParseGoal(GoalName(goal)), goal);
  }
  EXPECT_FALSE(ParseGoal("speed"));
}

}  // namespace
}  // namespace edgewise::orchestration
