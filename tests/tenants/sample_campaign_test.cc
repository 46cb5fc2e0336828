// The campaigns under tests/data, as they were measured.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tenants/campaign_folder.h"

namespace edgewise::tenants {
namespace {

TEST(SampleCampaignTest, RowsAreWholeAndAddUp) {
  for (const char* name : {"left", "right"}) {
    const auto campaign =
        ReadCampaign(std::filesystem::path(EDGEWISE_CAMPAIGNS) / name);
    ASSERT_TRUE(campaign) << campaign.error().message;
    EXPECT_EQ(campaign->header.tenants.size(), 9u);
    std::set<std::string> baselines;
    for (const Measured& row : campaign->rows) {
      EXPECT_EQ(row.arrived, row.completed + row.censored + row.dropped);
      EXPECT_EQ(row.server, name);
      if (row.response_p50_ms && row.response_p95_ms) {
        EXPECT_LE(*row.response_p50_ms, *row.response_p95_ms);
      }
      if (row.kind == Kind::kBaseline) {
        baselines.insert(row.tenant);
      }
    }
    EXPECT_EQ(baselines.size(), 9u);
  }
}

}  // namespace
}  // namespace edgewise::tenants
