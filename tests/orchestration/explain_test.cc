#include "orchestration/explain.h"

#include <gtest/gtest.h>

#include "orchestration/baselines.h"
#include "orchestration/generate.h"
#include "orchestration/pressure_model.h"

namespace edgewise::orchestration {
namespace {

class ExplainTest : public testing::Test {
 protected:
  const PressureModel model_{AssumedPressures()};
  Instance instance_ = Generate({}, model_);
};

TEST_F(ExplainTest, EveryRefusalOfAFullClusterHasItsReason) {
  const auto problem = Problem::Make(instance_, model_, 0.9);
  ASSERT_TRUE(problem.ok());
  const auto servers = PlaceBy(Baseline::kFirstFit, *problem);
  const Assignment placed = AssignmentOf(*problem, servers);
  int refused = 0;
  for (size_t i = 0; i < placed.size(); ++i) {
    if (!placed[i]) {
      ++refused;
      EXPECT_FALSE(Admit(servers, i));
      EXPECT_NE(WhyRefused(*problem, servers, i).find("late"),
                std::string::npos);
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_F(ExplainTest, TooMuchMemoryIsSaidWithBothFigures) {
  instance_.requests[2].memory_bytes = int64_t{64} << 30;
  const auto problem = Problem::Make(instance_, model_, 0.9);
  ASSERT_TRUE(problem.ok());
  const auto checked = CheckEachFits(*problem);
  ASSERT_FALSE(checked.ok());
  EXPECT_NE(checked.error().message.find("request3"), std::string::npos);
  EXPECT_NE(checked.error().message.find("32 GiB"), std::string::npos)
      << checked.error().message;
}

TEST_F(ExplainTest, AServerTooSmallForAnyRequestIsNamed) {
  instance_.servers[3].memory_bytes = 1000;
  const auto problem = Problem::Make(instance_, model_, 0.9);
  ASSERT_TRUE(problem.ok());
  const auto checked = CheckEachFits(*problem);
  ASSERT_FALSE(checked.ok());
  EXPECT_NE(checked.error().message.find("server4"), std::string::npos);
}

TEST_F(ExplainTest, APromiseThatNobodyCanKeepIsSaid) {
  instance_.requests[0].sla.delay_ns = 1000;
  const auto problem = Problem::Make(instance_, model_, 0.9);
  ASSERT_TRUE(problem.ok());
  EXPECT_NE(WhyRefused(*problem, EmptyServers(*problem), 0).find("even alone"),
            std::string::npos);
}

TEST_F(ExplainTest, PressureBeyondWhatWasMeasuredIsNotCalledAQueue) {
  instance_.requests[0].replicas = 5000;
  instance_.requests[0].rate_per_s = 0.01;
  instance_.requests[0].memory_bytes = 1;
  instance_.requests[1].rate_per_s = 1e5;
  instance_.requests[1].replicas = 1;
  instance_.requests[1].memory_bytes = 1;
  const auto problem = Problem::Make(instance_, model_, 0.9);
  ASSERT_TRUE(problem.ok());
  const auto servers = EmptyServers(*problem);
  EXPECT_NE(WhyRefused(*problem, servers, 0).find("ever measured"),
            std::string::npos)
      << WhyRefused(*problem, servers, 0);
  EXPECT_NE(WhyNotOn(*problem, servers[0], 0).find("ever measured"),
            std::string::npos);
  EXPECT_NE(WhyRefused(*problem, servers, 1).find("lower the rate"),
            std::string::npos)
      << WhyRefused(*problem, servers, 1);
  EXPECT_NE(WhyNotOn(*problem, servers[0], 1).find("queue"), std::string::npos);
}

TEST_F(ExplainTest, WhatPaysNothingIsSaidToPayNothing) {
  instance_.requests[0].pay_micros = 0;
  const auto problem = Problem::Make(instance_, model_, 0.9);
  ASSERT_TRUE(problem.ok());
  EXPECT_EQ(WhyRefused(*problem, EmptyServers(*problem), 0),
            "it would fit, but it pays nothing");
}

TEST_F(ExplainTest, OneMoreGoesWhereMostIsLeft) {
  const auto problem = Problem::Make(instance_, model_, 0.9);
  ASSERT_TRUE(problem.ok());
  std::vector<ServerLoad> servers = EmptyServers(*problem);
  size_t filled = 0;
  for (size_t i = 0; i < 40; ++i) {
    if (const auto server = Admit(servers, i)) {
      servers[*server].Add(i);
      ++filled;
    }
  }
  EXPECT_GT(filled, 20U);
  const auto server = Admit(servers, 100);
  ASSERT_TRUE(server);
  EXPECT_TRUE(servers[*server].CanAdd(100));
  servers[*server].Add(100);
  EXPECT_EQ(FindBrokenPromise(*problem, AssignmentOf(*problem, servers)), "");
}

}  // namespace
}  // namespace edgewise::orchestration
