#include "contention/simulator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contention/evaluate.h"
#include "contention/fit_sharing.h"
#include "contention/median.h"
#include "contention/pressure_figures.h"
#include "contention/processor_time.h"
#include "simulated_campaign.h"

namespace edgewise::contention {
namespace {

// Whatever others do is in the processor time of a request, not in how many
// are at work at a moment.
std::vector<SimulatedApp> Apps() {
  std::vector<SimulatedApp> apps = FourApps();
  for (SimulatedApp& app : apps) {
    app.suffers = 0;
  }
  return apps;
}

struct Trained {
  explicit Trained(const SimulatedPlan& plan) {
    campaign = SimulateCampaign(Apps(), server, plan);
    const Selection all = Everything(campaign);
    const auto sharing = FitSharing(campaign, all);
    EXPECT_TRUE(sharing.ok());
    for (const AppTraits& app : sharing->apps) {
      times.push_back(app.cpu);
    }
    simulator = std::make_unique<Simulator>(
        FiguresFrom(campaign, all, *sharing), RanksOf(*sharing),
        std::vector<double>{1}, 9);
  }
  SimulatedServer server;
  Campaign campaign;
  std::vector<ProcessorTime> times;
  std::unique_ptr<Simulator> simulator;
};

SimulatedPlan Small(int random) {
  SimulatedPlan plan;
  plan.random = random;
  plan.repeats = 0;
  plan.most_busy = 0.7;
  return plan;
}

TEST(SimulatorTest, IsRightAboutDeploymentsItHasNotSeen) {
  const Trained trained(Small(12));
  SimulatedPlan others = Small(10);
  others.seed = 77;
  const Campaign unseen = SimulateCampaign(Apps(), trained.server, others);
  std::vector<double> ratios;
  for (const Observation& observation : unseen.observations) {
    if (observation.kind != Kind::kRandom) {
      continue;
    }
    const auto predicted = trained.simulator->Predict(observation.deployment);
    for (size_t t = 0; t < predicted.size(); ++t) {
      const auto& measured = observation.outcomes[t].response_ms[kP95];
      if (measured && predicted[t]) {
        ratios.push_back((*predicted[t])[kP95] / *measured);
      }
    }
  }
  ASSERT_GT(ratios.size(), 15u);
  EXPECT_NEAR(Median(ratios), 1, 0.15);
  EXPECT_GT(AtPart(ratios, 0.1), 0.6);
  EXPECT_LT(AtPart(ratios, 0.9), 1.7);
}

TEST(SimulatorTest, SaysNeverOfWhatCannotKeepUpAndKnowsQuotas) {
  const Trained trained(Small(4));
  Deployment deployment;
  deployment.seconds = 10;
  const double most_per_s = 1e3 / trained.times[0].beside_ms;
  deployment.tenants = {{0, 1, 0.3 * most_per_s, std::nullopt}};
  const auto free = trained.simulator->Predict(deployment);
  deployment.tenants[0].quota_cores = 0.4;
  const auto held_back = trained.simulator->Predict(deployment);
  ASSERT_TRUE(free[0] && held_back[0]);
  EXPECT_GT((*held_back[0])[kP95], 1.2 * (*free[0])[kP95]);
  EXPECT_LE((*free[0])[1], (*free[0])[kP95]);
  deployment.tenants[0].quota_cores = 0.15;
  EXPECT_FALSE(trained.simulator->Predict(deployment)[0]);
  EXPECT_EQ(trained.simulator->Predict(deployment),
            trained.simulator->Predict(deployment));
}

// A campaign by hand: processor times of two apps.
Observation Seen(std::vector<Tenant> tenants, std::vector<double> cpu_ms) {
  Observation observation;
  observation.deployment.tenants = std::move(tenants);
  for (const double ms : cpu_ms) {
    Outcome outcome;
    outcome.service_mean_ms = ms;
    outcome.cpu_ms_per_request = ms;
    outcome.completed = 100;
    observation.outcomes.push_back(outcome);
  }
  return observation;
}

TEST(ProcessorTimeTest, IsTheMeanBesideOthersAndANewcomersFollowsTheRest) {
  Campaign campaign;
  campaign.servers = {{"s", "", 1}};
  campaign.apps = {{"old", {}}, {"new", {}}};
  const Tenant old_one{0, 1, 10, std::nullopt};
  const Tenant new_one{1, 1, 10, std::nullopt};
  campaign.observations = {Seen({old_one}, {4}), Seen({new_one}, {10}),
                           Seen({{0, 2, 10, std::nullopt}}, {5}),
                           Seen({{0, 3, 10, std::nullopt}}, {7})};
  campaign.observations.push_back(Seen({{0, 3, 10, std::nullopt}}, {500}));
  campaign.observations.back().outcomes[0].saturated = true;
  const auto times = FindProcessorTimes(campaign, Everything(campaign));
  ASSERT_TRUE(times.ok()) << times.error().message;
  EXPECT_DOUBLE_EQ((*times)[0].beside_ms, 6);
  EXPECT_DOUBLE_EQ((*times)[0].alone_ms, 4);
  EXPECT_DOUBLE_EQ((*times)[1].beside_ms, 15);
  EXPECT_DOUBLE_EQ((*times)[1].alone_ms, 10);
}

}  // namespace
}  // namespace edgewise::contention
