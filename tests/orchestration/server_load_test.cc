#include "orchestration/server_load.h"

#include <gtest/gtest.h>

#include "orchestration/explain.h"
#include "orchestration/generate.h"
#include "orchestration/pressure_model.h"
#include "stats/random.h"

namespace edgewise::orchestration {
namespace {

TEST(ServerLoadTest, ComingAndGoingLeavesNoTrace) {
  const PressureModel model(AssumedPressures());
  GenerateSettings settings;
  settings.servers = 1;
  settings.requests = 40;
  const Instance instance = Generate(settings, model);
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem.ok());
  ServerLoad server(*problem, 0);
  stats::Random random(7);
  std::vector<bool> there(40, false);
  for (int step = 0; step < 2000; ++step) {
    const size_t item = random.Below(40);
    if (there[item]) {
      server.Remove(item);
      there[item] = false;
    } else if (server.CanAdd(item)) {
      server.Add(item);
      there[item] = true;
    }
    EXPECT_EQ(FindBrokenPromise(*problem, AssignmentOf(*problem, {server})),
              "");
    ASSERT_LE(server.Strain(), 1);
  }
  ServerLoad fresh(*problem, 0);
  for (const size_t item : server.items()) {
    fresh.Add(item);
  }
  for (size_t app = 0; app < problem->apps(); ++app) {
    EXPECT_EQ(server.Felt(app), fresh.Felt(app));
    EXPECT_EQ(server.LeastTolerance(app), fresh.LeastTolerance(app));
  }
  EXPECT_EQ(server.memory_bytes(), fresh.memory_bytes());
}

TEST(ServerLoadTest, MemoryBeyondAllNumbersFitsNowhere) {
  const PressureModel model(AssumedPressures());
  Instance instance = Generate({}, model);
  instance.requests[0].memory_bytes = int64_t{1} << 62;
  instance.requests[0].replicas = 1000;
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem.ok());
  EXPECT_FALSE(ServerLoad(*problem, 0).CanAdd(0));
}

TEST(ServerLoadTest, SumsOfTooMuchMemoryStayTooMuch) {
  const PressureModel model(AssumedPressures());
  Instance instance = Generate({}, model);
  for (Request& request : instance.requests) {
    request.memory_bytes = 9'000'000'000'000'000'000;
  }
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem.ok());
  const auto servers =
      ServersOf(*problem, Assignment(instance.requests.size(), size_t{0}));
  EXPECT_LT(servers[0].free_memory_bytes(), 0);
  EXPECT_FALSE(servers[0].CanAdd(1));
}

TEST(ServerLoadTest, ABrokenPromiseIsFoundAndNamed) {
  const PressureModel model(AssumedPressures());
  const Instance instance = Generate({}, model);
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem.ok());
  const Assignment all_on_one(instance.requests.size(), size_t{0});
  EXPECT_NE(FindBrokenPromise(*problem, all_on_one), "");
}

TEST(ServerLoadTest, AnUnknownAppAsksForItsSensitivityRun) {
  const PressureModel model(AssumedPressures());
  Instance instance = Generate({}, model);
  instance.requests[3].app = "mobilenet-v4";
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_FALSE(problem.ok());
  EXPECT_NE(problem.error().message.find("contend sensitivity"),
            std::string::npos);
  EXPECT_NE(problem.error().message.find("mobilenet-v3"), std::string::npos);
}

}  // namespace
}  // namespace edgewise::orchestration
