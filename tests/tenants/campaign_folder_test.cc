#include "tenants/campaign_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
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
  {
    auto writer = CampaignWriter::Open(folder_, header_);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(
        writer->Add(One("r0001", Kind::kRandom), {"r0001", Kind::kRandom, 8}));
  }
  std::ofstream(folder_ / "deployments.csv", std::ios::app) << "r0002,rand";
  auto again = CampaignWriter::Open(folder_, header_);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_TRUE(
      again->Add(One("r0002", Kind::kRandom), {"r0002", Kind::kRandom, 8}));
  const auto read = ReadCampaign(folder_);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->rows.size(), 4u);
}

// A crash came between the rows of a deployment, or before its times.
TEST_F(CampaignFolderTest, HalfADeploymentIsNoneAndGoes) {
  {
    auto writer = CampaignWriter::Open(folder_, header_);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(
        writer->Add(One("r0001", Kind::kRandom), {"r0001", Kind::kRandom, 8}));
  }
  const auto half = One("r0002", Kind::kRandom);
  std::ofstream(folder_ / "deployments.csv", std::ios::app)
      << MeasuredLine(half.rows[0]) << "r0002,rand";
  const auto read = ReadDeployments(folder_);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->size(), 2u);
  {
    auto writer = CampaignWriter::Open(folder_, header_);
    ASSERT_TRUE(writer) << writer.error().message;
    EXPECT_EQ(writer->campaign().rows.size(), 2u);
    ASSERT_TRUE(writer->Add(half, {"r0002", Kind::kRandom, 8}));
  }
  EXPECT_EQ(ReadCampaign(folder_)->rows.size(), 4u);
}

TEST_F(CampaignFolderTest, TheFirstDeploymentMayBeHalfToo) {
  { ASSERT_TRUE(CampaignWriter::Open(folder_, header_)); }
  const auto half = One("b0001", Kind::kBaseline);
  std::ofstream(folder_ / "deployments.csv")
      << MeasuredHeader() << MeasuredLine(half.rows[0]);
  EXPECT_TRUE(ReadDeployments(folder_)->empty());
  // Folders that tell nothing of times are taken as they are.
  fs::remove(folder_ / "times.csv");
  EXPECT_EQ(ReadDeployments(folder_)->size(), 1u);
  { ASSERT_TRUE(CampaignWriter::Open(folder_, header_)); }
  EXPECT_EQ(ReadDeployments(folder_)->size(), 1u);
}

TEST_F(CampaignFolderTest, OneWritesAtATime) {
  const auto writer = CampaignWriter::Open(folder_, header_);
  ASSERT_TRUE(writer);
  const auto second = CampaignWriter::Open(folder_, header_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_THAT(second.error().message,
              HasSubstr("another command is writing to " + folder_.string()));
}

TEST_F(CampaignFolderTest, WhatFailedIsRememberedAndItsIdUsedUp) {
  {
    auto writer = CampaignWriter::Open(folder_, header_);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(
        writer->Add(One("r0001", Kind::kRandom), {"r0001", Kind::kRandom, 8}));
    ASSERT_TRUE(writer->AddFailed({"r0002", Kind::kRandom, 3}));
  }
  const auto read = ReadCampaign(folder_);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->rows.size(), 2u);
  ASSERT_EQ(read->spent.size(), 2u);
  EXPECT_EQ(read->spent.back().deployment, "r0002");
  CampaignHistory history(read->rows, {});
  history.AddFailed("r0002", "");
  history.AddFailed("b0001", "");
  EXPECT_EQ(history.random_failures(), 1u);
  EXPECT_EQ(history.NewId(Kind::kRandom), "r0003");
  EXPECT_EQ(history.NewId(Kind::kBaseline), "b0002");
}

TEST_F(CampaignFolderTest, TheHeaderIsWrittenOnlyWhenItChanges) {
  { ASSERT_TRUE(CampaignWriter::Open(folder_, header_)); }
  const fs::path file = folder_ / "campaign.yaml";
  const auto long_ago = fs::last_write_time(file) - std::chrono::hours(1);
  fs::last_write_time(file, long_ago);
  { ASSERT_TRUE(CampaignWriter::Open(folder_, header_)); }
  EXPECT_EQ(fs::last_write_time(file), long_ago);
  header_.tenants.push_back({"lstm", 5, 1, 1});
  { ASSERT_TRUE(CampaignWriter::Open(folder_, header_)); }
  EXPECT_NE(fs::last_write_time(file), long_ago);
}

TEST_F(CampaignFolderTest, AnEmptyHeaderIsMadeAnewUnlessThereAreRows) {
  { ASSERT_TRUE(CampaignWriter::Open(folder_, header_)); }
  fs::resize_file(folder_ / "campaign.yaml", 0);
  {
    auto writer = CampaignWriter::Open(folder_, header_);
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(
        writer->Add(One("r0001", Kind::kRandom), {"r0001", Kind::kRandom, 8}));
  }
  EXPECT_TRUE(ReadCampaign(folder_));
  fs::resize_file(folder_ / "campaign.yaml", 0);
  EXPECT_THAT(CampaignWriter::Open(folder_, header_).error().message,
              HasSubstr("is missing or empty, but there are rows beside it"));
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
  for (const std::vector<int>& cpus : {std::vector{0, 1}, std::vector{0}}) {
    other = header_;
    other.server.cpus = cpus;
    EXPECT_THAT(CampaignWriter::Open(folder_, other).error().message,
                HasSubstr("of a server with cores 0,2 and 1 GiB of memory"));
  }
  other = header_;
  other.server.memory_bytes = 1 << 20;
  EXPECT_THAT(CampaignWriter::Open(folder_, other).error().message,
              HasSubstr("and 1 GiB of memory"));
  other.server.memory_bytes.reset();
  EXPECT_FALSE(CampaignWriter::Open(folder_, other));
  other = header_;
  other.tenants.front().scale = 3;
  EXPECT_THAT(CampaignWriter::Open(folder_, other).error().message,
              HasSubstr("gcn has another memory, cores or scale"));
}

// They have the fingerprint of the machine, without cores and memory.
TEST_F(CampaignFolderTest, FoldersOfOldAreGoneOnWith) {
  { ASSERT_TRUE(CampaignWriter::Open(folder_, header_)); }
  CampaignHeader asked = header_;
  asked.server.fingerprint = "abc:0,2:1073741824";
  { EXPECT_TRUE(CampaignWriter::Open(folder_, asked)); }
  EXPECT_EQ(ReadCampaign(folder_)->header.server.fingerprint, "abc");
  asked.server.fingerprint = "abcd:0,2:1073741824";
  EXPECT_THAT(CampaignWriter::Open(folder_, asked).error().message,
              HasSubstr("another machine"));
}

TEST_F(CampaignFolderTest, NoCampaignSaysHowToMakeOne) {
  EXPECT_THAT(ReadCampaign(folder_).error().message,
              HasSubstr("edgewise contend random --tenants nine --out"));
}

}  // namespace
}  // namespace edgewise::tenants
