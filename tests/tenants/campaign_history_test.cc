#include "tenants/campaign_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::tenants {
namespace {

Tenant Named(const std::string& name) {
  Tenant tenant;
  tenant.name = name;
  return tenant;
}

Measured Row(const std::string& id, Kind kind, const std::string& tenant,
             double rate_per_s, const std::string& repeat_of = "") {
  Measured row;
  row.deployment = id;
  row.kind = kind;
  row.tenant = tenant;
  row.rate_per_s = rate_per_s;
  row.repeat_of = repeat_of;
  return row;
}

Deployment Alone(const std::string& tenant, double rate_per_s) {
  Deployment deployment;
  deployment.kind = Kind::kBaseline;
  deployment.shares.push_back({Named(tenant), 1, rate_per_s, std::nullopt});
  return deployment;
}

TEST(CampaignHistoryTest, EveryTenthRandomOneIsRepeatedLater) {
  std::vector<Measured> rows;
  const auto add = [&rows](int number, const std::string& repeat_of = "") {
    for (const char* tenant : {"gcn", "lstm"}) {
      rows.push_back(Row("r" + std::to_string(number), Kind::kRandom, tenant, 4,
                         repeat_of));
    }
  };
  const std::vector<Tenant> both{Named("gcn"), Named("lstm")};
  for (int i = 1; i <= 10; ++i) {
    add(i);
    EXPECT_FALSE(CampaignHistory(rows, both).ToRepeat(2)) << i;
  }
  add(11);
  CampaignHistory history(rows, both);
  const auto again = history.ToRepeat(2);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->repeat_of, "r6");
  EXPECT_EQ(again->shares.size(), 2u);
  EXPECT_FALSE(history.ToRepeat(1));
  EXPECT_EQ(history.NewId(Kind::kRandom), "r0012");
  EXPECT_EQ(history.NewId(Kind::kBaseline), "b0001");
  // Tenants that this campaign does not have cannot be repeated.
  EXPECT_FALSE(CampaignHistory(rows, {Named("gcn")}).ToRepeat(2));
  // A repeat that failed is not tried for ever.
  history.AddFailed("r0012", "r6");
  EXPECT_FALSE(history.ToRepeat(2));
  add(12, "r6");
  EXPECT_FALSE(CampaignHistory(rows, both).ToRepeat(2));
}

TEST(CampaignHistoryTest, LightAndHeavierBaselinesAreCountedApart) {
  const CampaignHistory history({Row("b0001", Kind::kBaseline, "gcn", 50),
                                 Row("b0002", Kind::kBaseline, "lstm", 66),
                                 Row("b0003", Kind::kBaseline, "gcn", 181),
                                 Row("b0004", Kind::kBaseline, "gcn", 62),
                                 Row("r0001", Kind::kRandom, "gcn", 60)},
                                {Named("gcn"), Named("lstm")});
  const std::vector<Deployment> plan{Alone("gcn", 60), Alone("gcn", 180)};
  const auto light = history.BaselinesLike(plan, 0);
  EXPECT_EQ(light.times, 2);
  ASSERT_TRUE(light.first);
  EXPECT_EQ(light.first->id, "b0001");
  EXPECT_EQ(light.first->shares.front().rate_per_s, 50);
  const auto heavier = history.BaselinesLike(plan, 1);
  EXPECT_EQ(heavier.times, 1);
  EXPECT_EQ(heavier.first->id, "b0003");
  EXPECT_EQ(history.SameAs(plan.front()).times, 3);
  EXPECT_EQ(history.SameAs(Alone("forest", 1)).times, 0);
}

TEST(CampaignHistoryTest, TheSameIsTheSameTenantsAndStressor) {
  Measured beside = Row("s0001", Kind::kSensitivity, "gcn", 50);
  beside.stressor = "cache";
  beside.dial = 50;
  const CampaignHistory history({beside}, {Named("gcn")});
  Deployment same = Alone("gcn", 77);
  same.kind = Kind::kSensitivity;
  same.stress = StressSpec{StressKind::kCache, 50};
  const auto before = history.SameAs(same);
  EXPECT_EQ(before.times, 1);
  EXPECT_EQ(before.first->id, "s0001");
  same.stress->dial_percent = 100;
  EXPECT_EQ(history.SameAs(same).times, 0);
}

}  // namespace
}  // namespace edgewise::tenants
