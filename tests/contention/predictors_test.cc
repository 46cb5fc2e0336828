#include <gtest/gtest.h>

#include <algorithm>

#include "contention/baselines.h"
#include "contention/evaluate.h"
#include "contention/fit_sharing.h"
#include "contention/pressure_predictor.h"
#include "contention/set_model.h"
#include "simulated_campaign.h"

namespace edgewise::contention {
namespace {

// All predictors, fitted once to one simulated campaign.
class PredictorsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    SimulatedPlan plan;
    plan.random = 15;
    plan.repeats = 0;
    campaign_ = new Campaign(SimulateCampaign(FourApps(), {}, plan));
    predictors_ = new std::vector<std::unique_ptr<ContentionPredictor>>;
    const Selection all = Everything(*campaign_);
    const auto sharing = FitSharing(*campaign_, all);
    auto set = FitSetModel(*campaign_, all, {60, 0.05, 1});
    ASSERT_TRUE(sharing.ok() && set.ok());
    predictors_->push_back(std::make_unique<SharingPredictor>(*sharing));
    predictors_->push_back(
        std::make_unique<PressurePredictor>(*campaign_, all, *sharing));
    predictors_->push_back(std::move(*set));
    predictors_->push_back(FitPerx(*campaign_, all));
    predictors_->push_back(FitScaloRan(*campaign_, all));
  }
  static void TearDownTestSuite() {
    delete predictors_;
    delete campaign_;
  }

  // 4 apps, the last with two replicas, `load` of what usual rates are.
  static Deployment Four(double load) {
    return {0,
            {{0, 1, 20 * load, std::nullopt},
             {1, 1, 10 * load, std::nullopt},
             {2, 1, 6 * load, std::nullopt},
             {3, 2, 2 * load, std::nullopt}},
            std::nullopt};
  }

  static Campaign* campaign_;
  static std::vector<std::unique_ptr<ContentionPredictor>>* predictors_;
};

Campaign* PredictorsTest::campaign_ = nullptr;
std::vector<std::unique_ptr<ContentionPredictor>>* PredictorsTest::predictors_ =
    nullptr;

TEST_F(PredictorsTest, QuantilesDoNotCross) {
  for (const auto& predictor : *predictors_) {
    for (const double load : {0.1, 0.5, 1.0, 1.5}) {
      for (const auto& figures : predictor->Predict(Four(load))) {
        ASSERT_TRUE(figures) << predictor->Name() << " at " << load;
        EXPECT_GT((*figures)[0], 0);
        EXPECT_TRUE(std::is_sorted(figures->begin() + 1, figures->end()))
            << predictor->Name();
      }
    }
  }
}

TEST_F(PredictorsTest, TimesDoNotFallWhenAnyLoadRises) {
  for (size_t p = 0; p < 3; ++p) {
    const ContentionPredictor& predictor = *(*predictors_)[p];
    for (size_t raised = 0; raised < 4; ++raised) {
      Deployment deployment = Four(0.3);
      auto before = predictor.Predict(deployment);
      for (int step = 0; step < 30; ++step) {
        deployment.tenants[raised].rate_per_s *= 1.1;
        const auto after = predictor.Predict(deployment);
        for (size_t t = 0; t < after.size(); ++t) {
          if (!before[t]) {
            EXPECT_FALSE(after[t]) << "came back from never";
            continue;
          }
          for (size_t f = 0; after[t] && f < kFigures; ++f) {
            EXPECT_GE((*after[t])[f], (*before[t])[f] * (1 - 1e-12))
                << predictor.Name() << " " << kFigureNames[f] << " of " << t
                << " when " << raised << " is asked more";
          }
        }
        before = after;
      }
    }
  }
}

TEST_F(PredictorsTest, TheOrderOfTenantsDoesNotMatter) {
  const Deployment deployment = Four(1);
  Deployment turned = deployment;
  std::reverse(turned.tenants.begin(), turned.tenants.end());
  for (const auto& predictor : *predictors_) {
    const auto one = predictor->Predict(deployment);
    auto other = predictor->Predict(turned);
    std::reverse(other.begin(), other.end());
    for (size_t t = 0; t < one.size(); ++t) {
      for (size_t f = 0; f < kFigures; ++f) {
        EXPECT_NEAR((*one[t])[f], (*other[t])[f], 1e-6 * (*one[t])[f]);
      }
    }
  }
}

TEST_F(PredictorsTest, MoreThanTheServerCanDoIsNeverAnswered) {
  const auto figures = (*predictors_)[0]->Predict(Four(4));
  for (const auto& of_tenant : figures) {
    EXPECT_FALSE(of_tenant);
  }
}

TEST_F(PredictorsTest, AQuotaSlowsItsTenantAndSparesTheOthers) {
  const auto apps = FourApps();
  SimulatedServer server;
  server.seconds = 200;
  Deployment deployment{
      0, {{1, 1, 20, std::nullopt}, {3, 1, 10, std::nullopt}}, std::nullopt};
  const auto freely = (*predictors_)[0]->Predict(deployment);
  const auto unlimited = Simulate(apps, server, deployment, 3);
  for (const double quota : {0.5, 0.8}) {
    deployment.tenants[1].quota_cores = quota;
    const auto truth = Simulate(apps, server, deployment, 3);
    const auto predicted = (*predictors_)[0]->Predict(deployment);
    ASSERT_TRUE(predicted[0] && predicted[1]);
    EXPECT_GT((*predicted[1])[kMean], (*freely[1])[kMean]);
    const double rise = (*predicted[1])[kMean] / (*freely[1])[kMean];
    const double true_rise =
        *truth[1].response_mean_ms / *unlimited[1].response_mean_ms;
    EXPECT_NEAR(rise / true_rise, 1, 0.4);
    EXPECT_LE((*predicted[0])[kMean], (*freely[0])[kMean] * 1.001);
  }
  deployment.tenants[1].quota_cores = 0.25;  // it needs 0.3
  EXPECT_FALSE((*predictors_)[0]->Predict(deployment)[1]);
}

TEST(NewcomerTest, IsPredictedBesideOthersFromItsOwnRunsOnly) {
  SimulatedPlan plan;
  plan.random = 15;
  plan.repeats = 0;
  plan.newcomers_from = 3;  // the last is measured alone and under stress
  const auto apps = FourApps();
  const Campaign campaign = SimulateCampaign(apps, {}, plan);
  const auto fitted = FitSharing(campaign, Everything(campaign));
  ASSERT_TRUE(fitted.ok()) << fitted.error().message;
  const Deployment mixed{0,
                         {{3, 1, 6, std::nullopt},
                          {1, 1, 20, std::nullopt},
                          {2, 1, 12, std::nullopt}},
                         std::nullopt};
  SimulatedServer longer;
  longer.seconds = 300;
  const auto truth = Simulate(apps, longer, mixed, 7);
  const auto predicted = SharingPredictor(*fitted).Predict(mixed);
  for (size_t t = 0; t < truth.size(); ++t) {
    ASSERT_TRUE(predicted[t]);
    // The newcomer itself, and what others suffer from it.
    EXPECT_NEAR((*predicted[t])[kP95] / *truth[t].response_p95_ms, 1, 0.35)
        << truth[t].tenant;
    EXPECT_NEAR((*predicted[t])[kMean] / *truth[t].response_mean_ms, 1, 0.25)
        << truth[t].tenant;
  }
}

}  // namespace
}  // namespace edgewise::contention
