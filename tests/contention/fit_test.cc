#include <gtest/gtest.h>

#include <cmath>

#include "contention/alone.h"
#include "contention/chooser.h"
#include "contention/doubt.h"
#include "contention/evaluate.h"
#include "contention/fit_sharing.h"
#include "contention/least_squares.h"
#include "contention/set_network.h"
#include "contention/train.h"
#include "simulated_campaign.h"

namespace edgewise::contention {
namespace {

using Eigen::VectorXd;

TEST(LeastSquaresTest, FindsTheParametersOfACurve) {
  const Residuals residuals = [](const VectorXd& at, VectorXd& to) {
    to.resize(8);
    for (int i = 0; i < 8; ++i) {
      to(i) = at(0) * std::exp(at(1) * i) - 3 * std::exp(-0.5 * i);
    }
  };
  VectorXd start(2);
  start << 1, 0;
  const VectorXd found = MinimiseSquares(residuals, start, 50);
  EXPECT_NEAR(found(0), 3, 1e-4);
  EXPECT_NEAR(found(1), -0.5, 1e-4);
}

Sharing TwoAlike() {
  Sharing sharing;
  sharing.apps = {{10, 0.2, 1, 0, {0}, {1}}, {10, 0.2, 1, 0, {0}, {1}}};
  sharing.speeds = {1};
  return sharing;
}

TEST(SharingTest, ManyLightNeighboursStretchOneCoreAsEvenSharingDoes) {
  // 100 replicas that together want half of the core.
  const auto served = ServeAll(
      TwoAlike(),
      {0, {{0, 1, 0.01, std::nullopt}, {1, 100, 0.5, std::nullopt}}, {}});
  EXPECT_NEAR(served[0].slow_down, 2, 0.02);
}

TEST(SharingTest, ALightTenantKeepsItsShareBesideOneThatCannotKeepUp) {
  const auto served =
      ServeAll(TwoAlike(),
               {0, {{0, 1, 1, std::nullopt}, {1, 1, 500, std::nullopt}}, {}});
  EXPECT_NEAR(served[0].slow_down, 2, 0.1);
  EXPECT_FALSE(orchestration::FindResponse(served[1]));
  EXPECT_TRUE(orchestration::FindResponse(KeptUp(served[1])));
}

TEST(FitSharingTest, FindsWhatTheServerWasMadeOf) {
  SimulatedPlan plan;
  plan.random = 10;
  plan.repeats = 0;
  const auto apps = FourApps();
  const Campaign campaign = SimulateCampaign(apps, {}, plan);
  const auto sharing = FitSharing(campaign, Everything(campaign));
  ASSERT_TRUE(sharing.ok()) << sharing.error().message;
  for (size_t i = 0; i < apps.size(); ++i) {
    EXPECT_NEAR(sharing->apps[i].service_ms / apps[i].service_ms, 1, 0.1);
    EXPECT_NEAR(sharing->apps[i].share_taken, 1, 0.5);
  }
}

TEST(FitSharingTest, AnAppThatWasNeverAloneAsksForItsSensitivity) {
  SimulatedPlan plan;
  plan.random = 12;
  Campaign campaign = SimulateCampaign(FourApps(), {}, plan);
  Selection rows;
  for (size_t i = 0; i < campaign.observations.size(); ++i) {
    const Deployment& deployment = campaign.observations[i].deployment;
    if (!IsAlone(deployment) || deployment.tenants[0].app != 2) {
      rows.push_back(i);
    }
  }
  const auto sharing = FitSharing(campaign, rows);
  ASSERT_FALSE(sharing.ok());
  EXPECT_NE(sharing.error().message.find("sensitivity --tenants app2"),
            std::string::npos)
      << sharing.error().message;
}

TEST(AloneTest, SpeedsOfServersComeFromTheAppsTheyShare) {
  Campaign campaign;
  campaign.servers = {{"slow", "", 1}, {"fast", "", 1}};
  campaign.apps = {{"a", {}}, {"b", {}}};
  const auto add = [&](size_t server, size_t app, double service_ms) {
    Observation observation;
    observation.kind = Kind::kBaseline;
    observation.deployment = {server, {{app, 1, 1, std::nullopt}}, {}};
    observation.outcomes.resize(1);
    observation.outcomes[0].service_mean_ms = service_ms;
    campaign.observations.push_back(observation);
  };
  add(0, 0, 20);
  add(0, 1, 8);
  add(1, 0, 10);
  const auto alone = FindAlone(campaign, Everything(campaign));
  ASSERT_TRUE(alone.ok()) << alone.error().message;
  EXPECT_DOUBLE_EQ(alone->speeds[0], 0.5);
  EXPECT_DOUBLE_EQ(alone->speeds[1], 1);
  EXPECT_DOUBLE_EQ(alone->apps[0].service_ms, 10);
  EXPECT_DOUBLE_EQ(alone->apps[1].service_ms, 4);
  campaign.servers[1].cores = 2;
  EXPECT_FALSE(FindAlone(campaign, Everything(campaign)).ok());
}

TEST(SetNetworkTest, DerivativesAreThoseOfDifferences) {
  SetWeights weights;
  const auto fill = [](Eigen::Index rows, Eigen::Index columns) {
    return (Eigen::MatrixXd::Random(rows, columns) * 0.5).eval();
  };
  weights.by_rate = fill(2, kEmbedding);
  weights.by_replica = fill(2, kEmbedding);
  weights.own = fill(2, kEmbedding);
  weights.own_rate = fill(2, 1);
  weights.from_pool = fill(kInner, kEmbedding);
  weights.from_own = fill(kInner, kEmbedding);
  weights.from_rate = fill(kInner, 1);
  weights.offset = fill(kInner, 1);
  weights.out = fill(kFigures, kInner);
  weights.level = fill(2, kFigures);
  const Deployment deployment{
      0, {{0, 2, 0.3, std::nullopt}, {1, 1, 0.2, std::nullopt}}, {}};
  VectorXd by(kFigures);
  by << 1, -2, 0.5, 3;
  SetWeights slopes = weights.Zeros();
  Backward(weights, deployment, 0, Forward(weights, deployment, 0), by,
           &slopes);
  const auto loss = [&] {
    return by.dot(Forward(weights, deployment, 0).log_ms);
  };
  SetWeights::ForEach(
      [&](auto& weight, const auto& slope) {
        for (Eigen::Index i = 0; i < weight.size(); ++i) {
          const double kept = weight.data()[i];
          weight.data()[i] = kept + 1e-5;
          const double above = loss();
          weight.data()[i] = kept - 1e-5;
          const double below = loss();
          weight.data()[i] = kept;
          EXPECT_NEAR((above - below) / 2e-5, slope.data()[i], 1e-5);
        }
      },
      weights, slopes);
}

TEST(DoubtTest, IsGreaterWhereNothingWasMeasured) {
  SimulatedPlan plan;
  plan.random = 15;
  plan.repeats = 0;
  plan.most_busy = 0.5;
  const Campaign campaign = SimulateCampaign(FourApps(), {}, plan);
  const auto doubt = Doubt::Fit(campaign, 4, 1);
  ASSERT_TRUE(doubt.ok()) << doubt.error().message;
  const Deployment calm{0, {{0, 1, 10, std::nullopt}}, std::nullopt};
  const Deployment crowded{0,
                           {{0, 2, 40, std::nullopt},
                            {1, 1, 20, std::nullopt},
                            {3, 1, 12, std::nullopt}},
                           std::nullopt};
  EXPECT_GT(doubt->Of(crowded), doubt->Of(calm));
  const auto least = FindLeastSure(*doubt, {calm, crowded});
  ASSERT_TRUE(least);
  EXPECT_EQ(least->candidate, 1u);
  EXPECT_FALSE(FindLeastSure(*doubt, {}));
}

TEST(ChooserTest, TakesTheUnknownFirstAndThenTheLeastSure) {
  SimulatedPlan plan;
  plan.random = 10;
  plan.repeats = 0;
  plan.most_busy = 0.5;
  const auto rows = SimulateRows(FourApps(), {}, plan);
  const auto candidate = [](const std::string& name, double rate_per_s) {
    tenants::Deployment deployment;
    deployment.shares.resize(2);
    deployment.shares[0].tenant.name = "app0";
    deployment.shares[0].rate_per_s = rate_per_s;
    deployment.shares[1].tenant.name = name;
    deployment.shares[1].rate_per_s = rate_per_s / 4;
    return deployment;
  };
  const tenants::Chooser choose = LeastSureChooser(1);
  EXPECT_EQ(
      choose({candidate("app1", 5), candidate("stranger", 5)}, rows).candidate,
      1u);
  const tenants::Choice sure =
      choose({candidate("app3", 5), candidate("app3", 70)}, rows);
  EXPECT_EQ(sure.candidate, 1u);
  ASSERT_TRUE(sure.error);
  EXPECT_GT(*sure.error, 0);
  EXPECT_LT(*sure.error, 1);
  EXPECT_FALSE(choose({candidate("app3", 5)}, {}).error);
}

TEST(TrainTest, UpperEndsHoldAsOftenAsPromised) {
  SimulatedPlan plan;
  plan.random = 24;
  plan.repeats = 0;
  plan.most_busy = 0.8;
  const Campaign campaign = SimulateCampaign(FourApps(), {}, plan);
  EvaluateSettings settings;
  settings.folds = 2;
  const auto trained = TrainPressures(campaign, "2026-11-16", settings);
  ASSERT_TRUE(trained.ok()) << trained.error().message;
  EXPECT_EQ(trained->figures.basis,
            "measured on simulated, 60 deployments, 2026-11-16");
  // What is written is what a placement will read.
  const auto read = orchestration::ReadPressures(
      orchestration::WritePressures(trained->figures), "pressures.yaml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  for (const orchestration::PressureApp& app : read->apps) {
    // Nobody promises anything on a server that is fuller.
    EXPECT_DOUBLE_EQ(app.slow_down.back().first, 0.9);
  }
  const orchestration::PressureModel model(*read);
  // Deployments that nobody trained on.
  plan.seed = 2;
  plan.random = 50;
  const Campaign fresh = SimulateCampaign(FourApps(), {}, plan);
  int below = 0;
  int all = 0;
  for (const Observation& each : fresh.observations) {
    for (size_t t = 0; each.kind == Kind::kRandom && t < each.outcomes.size();
         ++t) {
      const Tenant& own = each.deployment.tenants[t];
      double pressure = 0;
      for (const Tenant& other : each.deployment.tenants) {
        pressure += model.Felt(
            own.app, {other.app, other.replicas, other.rate_per_s}, 0);
      }
      const auto response = model.Predict(
          {own.app, own.replicas, own.rate_per_s}, 0, pressure, 0.95, 0.9);
      if (response && each.outcomes[t].response_ms[kP95]) {
        ++all;
        below += *each.outcomes[t].response_ms[kP95] * 1e6 <= response->high_ns
                     ? 1
                     : 0;
      }
    }
  }
  EXPECT_GT(all, 40);
  EXPECT_GT(below, 0.8 * all);
}

}  // namespace
}  // namespace edgewise::contention
