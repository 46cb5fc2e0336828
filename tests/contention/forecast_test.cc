#include "contention/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_campaign.h"

namespace edgewise::contention {
namespace {

using testing::HasSubstr;

TEST(ParseAskedTest, ReadsRateReplicasAndQuota) {
  const auto asked = ParseAsked("lstm:rate=20.5, replicas=2,quota=0.4");
  ASSERT_TRUE(asked.ok()) << asked.error().message;
  EXPECT_EQ(asked->app, "lstm");
  EXPECT_EQ(asked->rate_per_s, 20.5);
  EXPECT_EQ(asked->replicas, 2);
  EXPECT_EQ(asked->quota_cores, 0.4);
  EXPECT_FALSE(ParseAsked("lstm:rate=1")->quota_cores);
}

TEST(ParseAskedTest, SaysWhatIsWrong) {
  for (const auto& [text, why] :
       {std::pair{"lstm", "has no rate"},
        {"", "has no name"},
        {":rate=1", "has no name"},
        {"lstm:", "neither rate="},
        {"lstm:rate", "no number of requests"},
        {"lstm:rate=-1", "no number of requests"},
        {"lstm:rate=nan", "no number of requests"},
        {"lstm:rate=inf", "no number of requests"},
        {"lstm:rate=1,replicas=1.5", "no whole number"},
        {"lstm:rate=1,replicas=0", "no whole number"},
        {"lstm:rate=1,quota=0.001", "no number of cores"},
        {"lstm:rate=1,rate=2", "two rates"},
        {"lstm:rate=1,speed=3", "neither rate="}}) {
    const auto asked = ParseAsked(text);
    ASSERT_FALSE(asked.ok()) << text;
    EXPECT_THAT(asked.error().message, HasSubstr(why)) << text;
  }
}

class ForecastTest : public testing::Test {
 protected:
  static Campaign Measured(int random) {
    SimulatedPlan plan;
    plan.random = random;
    plan.repeats = 0;
    SimulatedServer server;
    server.seconds = 10;
    Campaign campaign = SimulateCampaign(FourApps(), server, plan);
    for (size_t i = 0; i < campaign.apps.size(); ++i) {
      campaign.apps[i].name = std::string("app") + std::to_string(i);
    }
    return campaign;
  }
};

TEST_F(ForecastTest, UnknownAppsAndServersAreNamed) {
  Campaign campaign = Measured(1);
  const auto app = DeploymentOf(campaign, {{"other", 1, 1, {}}}, "");
  ASSERT_FALSE(app.ok());
  EXPECT_EQ(app.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(app.error().message,
              HasSubstr("contend sensitivity --tenants other"));
  EXPECT_FALSE(DeploymentOf(campaign, {{"app0", 1, 1, {}}}, "elsewhere").ok());
  EXPECT_FALSE(
      DeploymentOf(campaign, {{"app0", 1, 1, {}}, {"app0", 2, 1, {}}}, "")
          .ok());
  campaign.servers.push_back(campaign.servers.front());
  campaign.servers.back().name = "second";
  EXPECT_THAT(DeploymentOf(campaign, {{"app0", 1, 1, {}}}, "").error().message,
              HasSubstr("say which server"));
  EXPECT_EQ(DeploymentOf(campaign, {{"app0", 1, 1, {}}}, "second")->server, 1u);
}

TEST_F(ForecastTest, HasNoIntervalsFromTooFewDeployments) {
  const Campaign campaign = Measured(3);
  const auto deployment =
      DeploymentOf(campaign, {{"app0", 1, 5, {}}, {"app1", 1, 1000, {}}}, "");
  ASSERT_TRUE(deployment.ok());
  const auto forecast = ForecastDeployment(campaign, *deployment, {});
  ASSERT_TRUE(forecast.ok()) << forecast.error().message;
  EXPECT_FALSE(forecast->error);
  ASSERT_TRUE(forecast->tenants[0]);
  EXPECT_GT((*forecast->tenants[0])[kP95].value, 0);
  EXPECT_FALSE((*forecast->tenants[0])[kP95].sufficient());
  EXPECT_FALSE(forecast->tenants[1]) << "1,000 a second are never answered";
  EXPECT_GT(forecast->wanted_cores, 1);
}

TEST_F(ForecastTest, IntervalsHoldTheForecastAndAQuotaRaisesIt) {
  const Campaign campaign = Measured(45);
  std::vector<Asked> asked = {{"app0", 1, 10, {}}, {"app1", 2, 2, {}}};
  EvaluateSettings settings;
  settings.folds = 2;
  const auto freely = ForecastDeployment(
      campaign, *DeploymentOf(campaign, asked, ""), settings);
  asked[0].quota_cores = 0.2;
  const auto limited = ForecastDeployment(
      campaign, *DeploymentOf(campaign, asked, ""), settings);
  ASSERT_TRUE(freely.ok() && limited.ok());
  for (const auto& tenant : freely->tenants) {
    for (size_t f = 0; f < kFigures - 1; ++f) {
      const stats::Estimate& figure = (*tenant)[f];
      ASSERT_TRUE(figure.sufficient()) << kFigureNames[f];
      EXPECT_LT(*figure.low, figure.value);
      EXPECT_GT(*figure.high, figure.value);
    }
  }
  EXPECT_GT((*limited->tenants[0])[kP95].value,
            (*freely->tenants[0])[kP95].value * 1.05);
}

}  // namespace
}  // namespace edgewise::contention
