#include "tenants/campaign_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "base/text.h"
#include "tenants/campaign_history.h"

namespace edgewise::tenants {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CampaignFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "campaign-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = fs::path(name) / "out";
    header_.server.name = "left";
    header_.server.fingerprint = "abc";
    header_.server.cpus = {0, 2};
    header_.server.memory_bytes = 1 << 30;
    header_.tenants = {{"gcn", 1000, 1, 2}};
  }
  void TearDown() override { fs::remove_all(folder_.parent_path()); }

  static DeploymentMeasured One(const std::string& id, Kind kind,
                                const std::string& repeat_of = "") {
    DeploymentMeasured measured;
    for (const char* tenant : {"gcn", "lstm"}) {
      Measured row;
      row.deployment = id;
      row.kind = kind;
      row.repeat_of = repeat_of;
      row.server = "left";
      row.tenant = tenant;
      row.rate_per_s = 4;
      measured.rows.push_back(row);
    }
    measured.requests.push_back(
        {"gcn", 0, 0.1, 0.2, std::nullopt, 0.0, 0, false});
    return measured;
  }

  fs::path folder_;
  CampaignHeader header_;
};

TEST_F(CampaignFolderTest, WhatIsAddedIsThereWhenOpenedAgain) {
  {
    auto writer = CampaignWriter::Open(folder_, header_);
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->Add(One("r0001", Kind::kRandom),
                            {"r0001", Kind::kRandom, 8.5}));
  }
  header_.tenants.push_back({"lstm", 5, 1, 1});
  const auto writer = CampaignWriter::Open(folder_, header_);
  ASSERT_TRUE(writer) << writer.error().message;
  EXPECT_EQ(writer->campaign().rows.size(), 2u);
  EXPECT_EQ(writer->campaign().spent.front().elapsed_s, 8.5);
  const auto read = ReadCampaign(folder_);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->header.tenants, header_.tenants);
  EXPECT_EQ(read->header.server.cpus, header_.server.cpus);
  EXPECT_EQ(read->header.server.memory_bytes, header_.server.memory_bytes);
  EXPECT_TRUE(fs::exists(folder_ / "requests" / "r0001.csv"));
}

TEST_F(CampaignFolderTest, GoesOnAfterHalfALine) {
  auto writer = CampaignWriter::Open(folder_, header_);
  ASSERT_TRUE(writer);
  ASSERT_TRUE(
      writer->Add(One("r0001", Kind::kRandom), {"r0001", Kind::kRandom, 8}));
  std::ofstream(folder_ / "deployments.csv", std::ios::app) << "r0002,rand";
  auto again = CampaignWriter::Open(folder_, header_);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_TRUE(
      again->Add(One("r0002", Kind::kRandom), {"r0002", Kind::kRandom, 8}));
  const auto read = ReadCampaign(folder_);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->rows.size(), 4u);
}

TEST_F(CampaignFolderTest, AnotherServerOrTenantIsRefused) {
  ASSERT_TRUE(CampaignWriter::Open(folder_, header_));
  CampaignHeader other = header_;
  other.server.name = "right";
  EXPECT_THAT(CampaignWriter::Open(folder_, other).error().message,
              HasSubstr("holds a campaign of server left"));
  other = header_;
  other.server.fingerprint = "def";
  EXPECT_THAT(CampaignWriter::Open(folder_, other).error().message,
              HasSubstr("another machine"));
  other = header_;
  other.tenants.front().scale = 3;
  EXPECT_THAT(CampaignWriter::Open(folder_, other).error().message,
              HasSubstr("gcn has another memory, cores or scale"));
}

TEST_F(CampaignFolderTest, NoCampaignSaysHowToMakeOne) {
  EXPECT_THAT(ReadCampaign(folder_).error().message,
              HasSubstr("edgewise contend random --tenants nine --out"));
}

TEST_F(CampaignFolderTest, EveryTenthRandomOneIsRepeatedLater) {
  std::vector<Measured> rows;
  const auto add = [&rows](const DeploymentMeasured& measured) {
    rows.insert(rows.end(), measured.rows.begin(), measured.rows.end());
  };
  Tenant gcn;
  gcn.name = "gcn";
  Tenant lstm;
  lstm.name = "lstm";
  for (int i = 1; i <= 10; ++i) {
    add(One("r" + std::to_string(i), Kind::kRandom));
    if (i < 10) {
      EXPECT_FALSE(CampaignHistory(rows, {gcn, lstm}).ToRepeat(2)) << i;
    }
  }
  add(One("r11", Kind::kRandom));
  CampaignHistory history(rows, {gcn, lstm});
  const auto again = history.ToRepeat(2);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->repeat_of, "r6");
  EXPECT_EQ(again->shares.size(), 2u);
  EXPECT_FALSE(history.ToRepeat(1));
  EXPECT_EQ(history.NewId(Kind::kRandom), "r0012");
  EXPECT_EQ(history.NewId(Kind::kBaseline), "b0001");
  // Tenants that this campaign does not have cannot be repeated.
  EXPECT_FALSE(CampaignHistory(rows, {gcn}).ToRepeat(2));
  add(One("r12", Kind::kRandom, "r6"));
  EXPECT_FALSE(CampaignHistory(rows, {gcn, lstm}).ToRepeat(2));
}

}  // namespace
}  // namespace edgewise::tenants
