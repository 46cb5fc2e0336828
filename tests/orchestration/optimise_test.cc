#include "orchestration/optimise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "orchestration/baselines.h"
#include "orchestration/best_configuration.h"
#include "orchestration/columns.h"
#include "orchestration/generate.h"
#include "orchestration/pressure_model.h"
#include "orchestration/prices.h"
#include "stats/random.h"

namespace edgewise::orchestration {
namespace {

// Apps that feel resources differently, and heavy enough that two or three
// requests fill a server.
PressureFigures HeavyPressures() {
  PressureFigures figures = AssumedPressures();
  figures.apps.resize(4);
  for (size_t a = 0; a < figures.apps.size(); ++a) {
    PressureApp& app = figures.apps[a];
    for (double& pressure : app.exerts) {
      pressure *= 12;
    }
    app.feels = {1.0, a % 2 == 0 ? 0.1 : 1.5, 0.5 * static_cast<double>(a)};
  }
  return figures;
}

Instance TinyInstance(const Predictor& predictor, uint64_t seed) {
  GenerateSettings settings;
  settings.servers = 2;
  settings.requests = 8;
  settings.memory_bytes = int64_t{6} << 30;
  settings.seed = seed;
  return Generate(settings, predictor);
}

// Every way to place the items.
int64_t BestByTrying(const Problem& problem, size_t item,
                     std::vector<ServerLoad>& servers) {
  if (item == problem.items().size()) {
    return 0;
  }
  int64_t best = BestByTrying(problem, item + 1, servers);
  for (ServerLoad& server : servers) {
    if (server.CanAdd(item)) {
      server.Add(item);
      best = std::max(best, problem.items()[item].pay_micros +
                                BestByTrying(problem, item + 1, servers));
      server.Remove(item);
    }
  }
  return best;
}

class OptimiseTest : public testing::Test {
 protected:
  void SetUp() override {
#ifdef EDGEWISE_SOLVER_FOLDER
    ::setenv("EDGEWISE_MODULES", EDGEWISE_SOLVER_FOLDER, 1);
#else
    GTEST_SKIP() << "built without CBC";
#endif
  }
};

TEST_F(OptimiseTest, TheBestOfAllLiesBetweenAnswerAndBound) {
  const PressureModel model(HeavyPressures());
  int refusing = 0;
  for (uint64_t seed = 1; seed <= 15; ++seed) {
    const Instance instance = TinyInstance(model, seed);
    const auto problem = Problem::Make(instance, model, 0.9);
    ASSERT_TRUE(problem.ok());
    std::vector<ServerLoad> servers = EmptyServers(*problem);
    const int64_t best = BestByTrying(*problem, 0, servers);
    OptimiseSettings settings;
    settings.seconds = 0.2;
    const OptimiseAnswer answer = Optimise(*problem, settings);
    EXPECT_EQ(answer.no_solver, "");
    EXPECT_EQ(FindBrokenPromise(*problem, answer.assignment), "");
    EXPECT_EQ(answer.revenue_micros,
              RevenueMicros(*problem, answer.assignment));
    EXPECT_LE(answer.revenue_micros, best) << seed;
    EXPECT_GE(answer.bound_micros, best) << seed;
    refusing += std::count(answer.assignment.begin(), answer.assignment.end(),
                           std::nullopt) > 0
                    ? 1
                    : 0;
  }
  EXPECT_GT(refusing, 5);  // else the instances prove nothing
}

TEST_F(OptimiseTest, AnyPricesGiveABound) {
  const PressureModel model(HeavyPressures());
  stats::Random random(3);
  auto solver = MakeSolver();
  ASSERT_TRUE(solver.ok()) << solver.error().message;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Instance instance = TinyInstance(model, seed);
    const auto problem = Problem::Make(instance, model, 0.9);
    ASSERT_TRUE(problem.ok());
    std::vector<ServerLoad> servers = EmptyServers(*problem);
    const auto best = static_cast<double>(BestByTrying(*problem, 0, servers));
    Prices prices =
        FindPrices(*problem, **solver, 100, 5, 1, [] { return false; });
    EXPECT_GE(RevenueBound(*problem, prices), best) << seed;
    for (PriceClass& at : prices.classes) {
      at.per_pressure *= 2 * random.Uniform();
      at.per_byte *= 2 * random.Uniform();
    }
    EXPECT_GE(RevenueBound(*problem, prices), best) << seed;
    Columns columns(*problem, **solver);
    std::vector<double> costs;
    for (const Item& item : problem->items()) {
      costs.push_back(random.Uniform() * static_cast<double>(item.pay_micros));
    }
    EXPECT_GE(columns.Generate(costs, [] { return true; }), best) << seed;
  }
}

TEST_F(OptimiseTest, OneServerIsFilledAsWellAsCanBe) {
  const PressureModel model(HeavyPressures());
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const Instance instance = TinyInstance(model, seed);
    const auto problem = Problem::Make(instance, model, 0.9);
    ASSERT_TRUE(problem.ok());
    std::vector<size_t> all(problem->items().size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<double> values;
    for (const Item& item : problem->items()) {
      values.push_back(static_cast<double>(item.pay_micros));
    }
    std::vector<ServerLoad> one{ServerLoad(*problem, 0)};
    const auto best = static_cast<double>(BestByTrying(*problem, 0, one));
    const auto searched =
        BestConfiguration(*problem, 0, all, values, {10, 100'000, true});
    EXPECT_DOUBLE_EQ(searched.found.back().value, best) << seed;
    EXPECT_NEAR(searched.bound, best, 1e-6 * best) << seed;
    for (const bool tight : {false, true}) {
      const auto hurried =
          BestConfiguration(*problem, 0, all, values, {2, 3, tight});
      EXPECT_GE(hurried.bound, best) << seed;
    }
  }
}

TEST_F(OptimiseTest, NoBaselineEarnsMore) {
  const PressureModel model(AssumedPressures());
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    GenerateSettings settings;
    settings.servers = 4;
    settings.requests = 60;
    settings.seed = seed;
    const Instance instance = Generate(settings, model);
    const auto problem = Problem::Make(instance, model, 0.9);
    ASSERT_TRUE(problem.ok());
    OptimiseSettings optimise;
    optimise.seconds = 0.5;
    const OptimiseAnswer answer = Optimise(*problem, optimise);
    for (const Baseline baseline : kBaselines) {
      const auto placed = AssignmentOf(*problem, PlaceBy(baseline, *problem));
      EXPECT_EQ(FindBrokenPromise(*problem, placed), "");
      EXPECT_LE(RevenueMicros(*problem, placed), answer.revenue_micros)
          << BaselineName(baseline);
    }
    EXPECT_EQ(FindBrokenPromise(*problem, answer.assignment), "");
  }
}

TEST_F(OptimiseTest, ServersAreScoredWithWhatIsPlaced) {
  const PressureModel model(AssumedPressures());
  GenerateSettings settings;
  settings.servers = 2;
  settings.requests = 1;
  settings.low_rank = 0;
  Instance instance = Generate(settings, model);
  instance.requests[0].memory_bytes = int64_t{1} << 30;
  instance.requests[0].replicas = 1;
  instance.servers[0].memory_bytes = int64_t{2} << 30;
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem.ok());
  // Both are empty; half of the first would be allocated.
  EXPECT_EQ(
      AssignmentOf(*problem, PlaceBy(Baseline::kLeastAllocated, *problem))[0],
      size_t{1});
}

TEST_F(OptimiseTest, NoTimeGivesOnePlacementAndAnHonestBound) {
  const PressureModel model(AssumedPressures());
  const Instance instance = Generate({}, model);
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem.ok());
  OptimiseSettings settings;
  settings.seconds = 1e-9;
  const OptimiseAnswer hurried = Optimise(*problem, settings);
  EXPECT_GT(hurried.revenue_micros, 0);
  EXPECT_EQ(FindBrokenPromise(*problem, hurried.assignment), "");
  settings.seconds = 10;
  settings.cancelled = [] { return true; };
  const OptimiseAnswer cancelled = Optimise(*problem, settings);
  EXPECT_GT(cancelled.revenue_micros, 0);
  EXPECT_LE(cancelled.revenue_micros, cancelled.bound_micros);
}

TEST_F(OptimiseTest, DearMovesAreNotMade) {
  const PressureModel model(HeavyPressures());
  const Instance instance = TinyInstance(model, 5);
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem.ok());
  OptimiseSettings settings;
  settings.seconds = 0.2;
  settings.current =
      AssignmentOf(*problem, PlaceBy(Baseline::kFirstFit, *problem));
  settings.move_cost_micros = int64_t{1'000'000} * kMicrosPerUnit;
  const OptimiseAnswer answer = Optimise(*problem, settings);
  EXPECT_EQ(answer.moves, 0);
  EXPECT_GE(answer.revenue_micros, RevenueMicros(*problem, settings.current));
}

}  // namespace
}  // namespace edgewise::orchestration
