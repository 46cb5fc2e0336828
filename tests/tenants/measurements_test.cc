#include "tenants/measurements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::tenants {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Measured Row() {
  Measured row;
  row.deployment = "r0001";
  row.kind = Kind::kRandom;
  row.repeat_of = "r0000";
  row.server = "left";
  row.cores = 1;
  row.tenant = "gcn";
  row.replicas = 2;
  row.rate_per_s = 7.25;
  row.quota_cores = 0.5;
  row.seconds = 6;
  row.arrived = 87;
  row.completed = 80;
  row.censored = 5;
  row.dropped = 2;
  row.service_mean_ms = 3.125;
  row.response_p95_ms = 12.5;
  row.cpu_cores = 0.04;
  row.memory_bytes = 41'000'000;
  return row;
}

TEST(MeasuredTest, WhatIsWrittenIsReadBack) {
  Measured sensitive;
  sensitive.deployment = "s0001";
  sensitive.kind = Kind::kSensitivity;
  sensitive.server = "left";
  sensitive.tenant = "lstm";
  sensitive.stressor = "cache";
  sensitive.dial = 50;
  const auto rows = ReadMeasured(
      MeasuredHeader() + MeasuredLine(Row()) + MeasuredLine(sensitive), "x");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_THAT(*rows, ElementsAre(Row(), sensitive));
}

TEST(MeasuredTest, UnknownIsAnEmptyField) {
  EXPECT_EQ(MeasuredLine(Row()),
            "r0001,random,r0000,left,1,gcn,2,7.25,0.5,,,6,87,80,5,2,3.125,,,,,"
            "12.5,,,0.04,41000000\n");
}

TEST(MeasuredTest, HalfALineAtTheEndIsLeftOut) {
  const std::string line = MeasuredLine(Row());
  const auto rows = ReadMeasured(
      MeasuredHeader() + line + line.substr(0, line.size() / 2), "x");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->size(), 1u);
}

TEST(MeasuredTest, ErrorsNameLineAndColumn) {
  std::string line = MeasuredLine(Row());
  line.replace(line.find("7.25"), 4, "nan");
  const auto rows = ReadMeasured(MeasuredHeader() + line, "d.csv");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().message,
            "d.csv:2: rate_per_s is \"nan\", which is not a number from 0 on");
  EXPECT_THAT(ReadMeasured(MeasuredHeader() + "a,b\n", "d.csv").error().message,
              HasSubstr("d.csv:2: there are 2 fields instead of 26"));
}

TEST(MeasuredTest, AnotherHeaderIsRefused) {
  EXPECT_THAT(ReadMeasured("a,b\n1,2\n", "d.csv").error().message,
              HasSubstr("d.csv:1: the first line must be"));
  EXPECT_FALSE(ReadMeasured("", "d.csv"));
}

TEST(RequestRowTest, WhatIsWrittenIsReadBack) {
  const RequestRow answered{"gcn",        0,     0.5, 0.503,
                            std::nullopt, 0.001, 0,   false};
  const RequestRow waiting{"gcn",        1, 5.9, std::nullopt, 0.25,
                           std::nullopt, 3, true};
  const auto rows = ReadRequests(
      RequestsHeader() + RequestLine(answered) + RequestLine(waiting), "x");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_THAT(*rows, ElementsAre(answered, waiting));
}

TEST(RequestRowTest, OneWithoutDepartureMustBeCensored) {
  EXPECT_FALSE(
      ReadRequests(RequestsHeader() + "gcn,0,1.0,,,,0,0\n", "requests.csv"));
}

TEST(PlainNameTest, NamesOfFilesAndColumnsAreTakenOthersNot) {
  EXPECT_TRUE(IsPlainName("bert-tiny"));
  EXPECT_TRUE(IsPlainName("r0001"));
  EXPECT_FALSE(IsPlainName(""));
  EXPECT_FALSE(IsPlainName("a,b"));
  EXPECT_FALSE(IsPlainName("../x"));
  EXPECT_FALSE(IsPlainName("a b"));
}

}  // namespace
}  // namespace edgewise::tenants
