#include "tenants/next_deployment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tenants/share_sessions.h"

namespace edgewise::tenants {
namespace {

using testing::HasSubstr;

class NextDeploymentTest : public testing::Test {
 protected:
  void SetUp() override {
    request_.server.name = "left";
    request_.server.cpus = {0};
    request_.tenants = NineTenants();
    request_.conditions.measure_ns = 7 * kNsPerSecond;
  }

  void AddBaseline(const std::string& id, double rate_per_s) {
    Measured row;
    row.deployment = id;
    row.tenant = "gcn";
    row.rate_per_s = rate_per_s;
    row.service_mean_ms = 4;  // light: 50 a second; heavier: 150
    rows_.push_back(row);
  }

  std::string RandomAfter(int failures) const {
    CampaignHistory history(rows_, request_.tenants);
    for (int i = 1; i <= failures; ++i) {
      history.AddFailed("r000" + std::to_string(i), "");
    }
    return DeploymentText(NextDeployment(request_, rows_, history).Random());
  }

  CampaignRequest request_;
  std::vector<Measured> rows_;
};

TEST_F(NextDeploymentTest, ADrawThatFailedIsNotDrawnAgain) {
  EXPECT_EQ(RandomAfter(0), RandomAfter(0));
  EXPECT_NE(RandomAfter(0), RandomAfter(1));
  EXPECT_NE(RandomAfter(1), RandomAfter(2));
}

TEST_F(NextDeploymentTest, BaselinesAreRepeatedAtTheirOwnRates) {
  request_.repeat = 2;
  AddBaseline("b0001", 50);
  AddBaseline("b0002", 149);
  const CampaignHistory history(rows_, request_.tenants);
  const NextDeployment next(request_, rows_, history);
  const Tenant& gcn = request_.tenants.front();
  const auto light = next.Baseline(gcn, 0, true);
  ASSERT_TRUE(light);
  EXPECT_EQ(light->repeat_of, "b0001");
  EXPECT_EQ(light->shares.front().rate_per_s, 50);
  const auto heavier = next.Baseline(gcn, 1, true);
  ASSERT_TRUE(heavier);
  EXPECT_EQ(heavier->repeat_of, "b0002");
  EXPECT_EQ(heavier->shares.front().rate_per_s, 149);
  // Other modes want one of each, and these are there.
  EXPECT_FALSE(next.Baseline(gcn, 0, false));
  EXPECT_FALSE(next.Baseline(gcn, 1, false));
  EXPECT_EQ(next.Baseline(request_.tenants[1], 0, true)->repeat_of, "");
}

TEST_F(NextDeploymentTest, EnoughIsEnough) {
  request_.repeat = 2;
  for (const char* id : {"b0001", "b0002", "b0003"}) {
    AddBaseline(id, 50);
  }
  const CampaignHistory history(rows_, request_.tenants);
  const NextDeployment next(request_, rows_, history);
  const Tenant& gcn = request_.tenants.front();
  EXPECT_FALSE(next.Baseline(gcn, 0, true));
  // Light ones are no heavier ones.
  EXPECT_EQ(next.Baseline(gcn, 1, true)->repeat_of, "");
}

TEST_F(NextDeploymentTest, ShortMeasurementsAreToldOf) {
  const CampaignHistory history(rows_, request_.tenants);
  EXPECT_FALSE(NextDeployment(request_, rows_, history).TooShort());
  request_.conditions.measure_ns = kNsPerSecond;
  const auto warning = NextDeployment(request_, rows_, history).TooShort();
  ASSERT_TRUE(warning);
  EXPECT_THAT(*warning, HasSubstr("--duration 1 s is too short for 30 requests "
                                  "of mobilenetv3, efficientnet"));
  EXPECT_THAT(*warning, HasSubstr("2.7 s would do"));
}

}  // namespace
}  // namespace edgewise::tenants
