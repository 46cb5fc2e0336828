#include "project/profile_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::ElementsAre;

TEST(ProfileLogTest, BlocksAreInTheOrderOfTheirFirstRows) {
  const auto log = ReadProfileLog(
      "label,wall_ms,cpu_ms,affinity\r\n"
      "frame,12.5,11,\"0,1\"\r\n"
      "chunk,3,2,0\r\n"
      "frame,13,12,\"0,1\"\r\n");
  ASSERT_TRUE(log);
  EXPECT_EQ(log->rows, 3);
  EXPECT_EQ(log->bad_rows, 0);
  ASSERT_EQ(log->blocks.size(), 2U);
  EXPECT_EQ(log->blocks[0].label, "frame");
  EXPECT_THAT(log->blocks[0].wall_ms, ElementsAre(12.5, 13));
  EXPECT_EQ(log->blocks[1].label, "chunk");
}

TEST(ProfileLogTest, SpansOfAnExportAreReadToo) {
  const auto log = ReadProfileLog(
      "name,start_s,wall_ms,cpu_ms,tid,meta\n\"frame, big\",1,25.000000,,1,\n");
  ASSERT_TRUE(log);
  ASSERT_EQ(log->blocks.size(), 1U);
  EXPECT_EQ(log->blocks[0].label, "frame, big");
  EXPECT_THAT(log->blocks[0].wall_ms, ElementsAre(25));
}

TEST(ProfileLogTest, QuotesAreUndoubledAndMayHoldLineEnds) {
  const auto log = ReadProfileLog("label,wall_ms\n\"a \"\"b\"\"\nc\",1\n");
  ASSERT_TRUE(log);
  ASSERT_EQ(log->blocks.size(), 1U);
  EXPECT_EQ(log->blocks[0].label, "a \"b\"\nc");
}

TEST(ProfileLogTest, RowsWithoutALabelOrATimeAreCounted) {
  const auto log =
      ReadProfileLog("label,wall_ms\na,1\n,2\nb\nc,much\nd,inf\n\na,2");
  ASSERT_TRUE(log);
  EXPECT_EQ(log->rows, 6);
  EXPECT_EQ(log->bad_rows, 4);
  ASSERT_EQ(log->blocks.size(), 1U);
  EXPECT_THAT(log->blocks[0].wall_ms, ElementsAre(1, 2));
}

TEST(ProfileLogTest, OtherTablesAreNone) {
  EXPECT_FALSE(ReadProfileLog(""));
  EXPECT_FALSE(ReadProfileLog("a,b\n1,2\n"));
  EXPECT_FALSE(ReadProfileLog("label,cpu_ms\nx,2\n"));
}

TEST(ProfileLogTest, LabelsAreBounded) {
  std::string csv = "label,wall_ms\n";
  for (size_t i = 0; i < kMostLabels + 5; ++i) {
    csv += "l" + std::to_string(i) + ",1\n";
  }
  const auto log = ReadProfileLog(csv);
  ASSERT_TRUE(log);
  EXPECT_EQ(log->blocks.size(), kMostLabels);
  EXPECT_EQ(log->unnamed, 5);
}

}  // namespace
}  // namespace edgewise
