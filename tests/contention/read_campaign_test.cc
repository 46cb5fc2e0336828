#include "contention/read_campaign.h"

#include <gtest/gtest.h>

#include <functional>

namespace edgewise::contention {
namespace {

tenants::Measured Row(const std::string& deployment,
                      const std::string& tenant) {
  tenants::Measured row;
  row.deployment = deployment;
  row.kind = Kind::kRandom;
  row.server = "box";
  row.tenant = tenant;
  row.rate_per_s = 5;
  row.seconds = 10;
  row.arrived = 100;
  row.completed = 100;
  row.response_mean_ms = 12;
  row.response_p50_ms = 10;
  row.response_p75_ms = 15;
  row.response_p95_ms = 30;
  row.cpu_cores = 0.5;
  return row;
}

TEST(ReadCampaignTest, RowsOfOneDeploymentGoTogether) {
  Campaign campaign;
  ASSERT_TRUE(AddRows({Row("a", "gcn"), Row("a", "lstm"), Row("b", "gcn")},
                      {"print", {{"lstm", 7}}}, "1:", &campaign)
                  .ok());
  ASSERT_EQ(campaign.observations.size(), 2u);
  EXPECT_EQ(campaign.observations[0].id, "1:a");
  EXPECT_EQ(campaign.observations[0].outcomes.size(), 2u);
  EXPECT_EQ(campaign.servers.size(), 1u);
  EXPECT_EQ(campaign.servers[0].fingerprint, "print");
  EXPECT_EQ(campaign.apps[1].memory_bytes, 7);
  EXPECT_FALSE(campaign.apps[0].memory_bytes);
  EXPECT_DOUBLE_EQ(*campaign.observations[0].outcomes[0].cpu_ms_per_request,
                   50);
}

TEST(ReadCampaignTest, FiguresThatWereCutOffAreOnlyKnownFromBelow) {
  tenants::Measured cut = Row("a", "gcn");
  cut.censored = 2;  // p99 lies beyond what was seen
  tenants::Measured full = Row("b", "gcn");
  full.dropped = 40;
  full.censored = 20;
  Campaign campaign;
  ASSERT_TRUE(AddRows({cut, full}, {}, "", &campaign).ok());
  const Outcome& some = campaign.observations[0].outcomes[0];
  EXPECT_FALSE(some.saturated);
  EXPECT_EQ(some.response_ms[kP95], 30);
  EXPECT_FALSE(some.response_ms[3]);
  EXPECT_EQ(some.at_least_ms[3], 30);
  const Outcome& most = campaign.observations[1].outcomes[0];
  EXPECT_TRUE(most.saturated);
  for (size_t f = 0; f < kFigures; ++f) {
    EXPECT_FALSE(most.response_ms[f]);
    EXPECT_TRUE(most.at_least_ms[f]);
  }
}

TEST(ReadCampaignTest, UnknownWithoutCutOffRequestsStaysUnknown) {
  Campaign campaign;
  ASSERT_TRUE(AddRows({Row("a", "gcn")}, {}, "", &campaign).ok());
  EXPECT_FALSE(campaign.observations[0].outcomes[0].at_least_ms[3]);
}

TEST(ReadCampaignTest, ATenantTwiceInADeploymentIsRefused) {
  Campaign campaign;
  const auto added =
      AddRows({Row("a", "gcn"), Row("a", "gcn")}, {}, "", &campaign);
  ASSERT_FALSE(added.ok());
  EXPECT_NE(added.error().message.find("twice"), std::string::npos);
}

TEST(ReadCampaignTest, RowsThatNoDeploymentCanHaveAreRefused) {
  const auto refused =
      [](const std::function<void(tenants::Measured&)>& spoil) {
        tenants::Measured row = Row("a", "gcn");
        spoil(row);
        Campaign campaign;
        const auto added = AddRows({Row("a", "lstm"), row}, {}, "", &campaign);
        return added.ok() ? "" : added.error().message;
      };
  EXPECT_EQ(refused([](tenants::Measured&) {}), "");
  EXPECT_NE(refused([](tenants::Measured& row) {
              row.rate_per_s = 0;
            }).find("gcn of a has no rate"),
            std::string::npos);
  EXPECT_NE(refused([](tenants::Measured& row) {
              row.replicas = 0;
            }).find("no replicas"),
            std::string::npos);
  EXPECT_NE(refused([](tenants::Measured& row) {
              row.quota_cores = 0;
            }).find("quota below"),
            std::string::npos);
  EXPECT_NE(refused([](tenants::Measured& row) {
              row.cores = 0;
            }).find("without a core"),
            std::string::npos);
  EXPECT_NE(refused([](tenants::Measured& row) {
              row.server = "other";
            }).find("two servers"),
            std::string::npos);
}

TEST(ReadCampaignTest, AFolderWithoutMeasurementsIsNamed) {
  const auto read = ReadCampaigns({"/nowhere/at/all"});
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("/nowhere/at/all/deployments.csv"),
            std::string::npos);
}

}  // namespace
}  // namespace edgewise::contention
