#include "contention/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "contention/error_figures.h"
#include "contention/simulator.h"
#include "simulated_campaign.h"

namespace edgewise::contention {
namespace {

EvaluateSettings Quick() {
  EvaluateSettings settings;
  settings.folds = 2;
  settings.set_training = {40, 0.05, 1};
  return settings;
}

TEST(EvaluateTest, EveryRandomTenantIsHeldOutOnceAndOursBeatThePublished) {
  SimulatedPlan plan;
  plan.random = 24;
  plan.repeats = 6;
  plan.most_busy = 0.8;
  const Campaign campaign = SimulateCampaign(FourApps(), {}, plan);
  const auto evaluation = EvaluateContention(campaign, Quick());
  ASSERT_TRUE(evaluation.ok()) << evaluation.error().message;
  EXPECT_EQ(evaluation->random_deployments, 30);
  EXPECT_EQ(evaluation->other_deployments, 36);
  EXPECT_EQ(evaluation->noise.pairs, 6);
  ASSERT_EQ(evaluation->predictors.size(), 6u);
  for (const PredictorErrors& predictor : evaluation->predictors) {
    std::set<std::pair<size_t, size_t>> seen;
    for (const Forecast& forecast : predictor.figures[kP95].held_out) {
      EXPECT_EQ(campaign.observations[forecast.observation].kind,
                Kind::kRandom);
      EXPECT_TRUE(seen.emplace(forecast.observation, forecast.tenant).second);
    }
    EXPECT_GT(seen.size(), 40u);
  }
  const auto& ours = evaluation->predictors[0].figures[kP95];
  ASSERT_TRUE(ours.median_ape && ours.against_published);
  EXPECT_LT(ours.median_ape->value, 0.35);
  EXPECT_LT(ours.against_published->value, 1);
  EXPECT_LE(*ours.median_ape->low, ours.median_ape->value);
  EXPECT_GE(*ours.median_ape->high, ours.median_ape->value);
  const PredictorErrors& simulator = evaluation->predictors[2];
  EXPECT_EQ(simulator.name, kSimulatorName);
  ASSERT_TRUE(simulator.figures[kP95].median_ratio);
  EXPECT_NEAR(simulator.figures[kP95].median_ratio->value, 1, 0.2);
}

TEST(EvaluateTest, TooFewRandomDeploymentsAreRefused) {
  SimulatedPlan plan;
  plan.random = 4;
  plan.repeats = 0;
  const auto evaluation =
      EvaluateContention(SimulateCampaign(FourApps(), {}, plan), Quick());
  ASSERT_FALSE(evaluation.ok());
  EXPECT_NE(evaluation.error().message.find("contend random"),
            std::string::npos);
}

TEST(RepeatNoiseTest, IsTheMedianDifferenceOfRepeats) {
  Campaign campaign;
  const auto add = [&](const std::string& id, const std::string& repeat_of,
                       double p95_ms) {
    Observation observation;
    observation.id = id;
    observation.repeat_of = repeat_of;
    observation.outcomes.resize(1);
    observation.outcomes[0].response_ms[kP95] = p95_ms;
    campaign.observations.push_back(observation);
  };
  add("a", "", 10);
  add("b", "a", 20);
  add("c", "", 99);
  const RepeatNoise noise = FindRepeatNoise(campaign);
  EXPECT_EQ(noise.pairs, 1);
  // 100% seen from the one, 50% from the other.
  EXPECT_DOUBLE_EQ(*noise.median_ape[kP95], 0.75);
  EXPECT_FALSE(noise.median_ape[kMean]);
}

TEST(ErrorFiguresTest, IntervalsHoldWhatTheyPromiseAndNeverCountsAsWrong) {
  std::vector<PredictorErrors> predictors(2);
  predictors[1].published = true;
  for (size_t i = 0; i < 200; ++i) {
    const double off = std::exp((static_cast<double>(i % 21) - 10) / 50);
    predictors[0].figures[kP95].held_out.push_back(
        {i / 2, i % 2, 10, 10 * off});
    predictors[1].figures[kP95].held_out.push_back(
        {i / 2, i % 2, 10,
         i % 4 == 0 ? std::nullopt : std::optional(10 * 1.5)});
  }
  SumUpErrors(1, &predictors);
  const FigureErrors& first = predictors[0].figures[kP95];
  EXPECT_NEAR(*first.coverage, 0.9, 0.05);
  EXPECT_NEAR(first.median_ape->value, 0.1, 0.03);
  EXPECT_NEAR(first.against_published->value, first.median_ape->value / 0.5,
              1e-9);
  EXPECT_TRUE(std::isinf(*predictors[1].figures[kP95].p90_ape));
  EXPECT_NEAR(first.median_ratio->value, 1, 0.021);
  EXPECT_DOUBLE_EQ(predictors[1].figures[kP95].median_ratio->value, 1.5);
}

}  // namespace
}  // namespace edgewise::contention
