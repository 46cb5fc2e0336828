#include "tenants/request_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::tenants {
namespace {

constexpr char kLog[] =
    "service,replica,arrival_s,departure_s,interarrival_s,queueing_s,"
    "queue_length,censored,dropped\n"
    "gcn,0,0.500000000,0.600000000,,0.000000000,0,0,0\n"  // before
    "gcn,0,1.500000000,1.600000000,1.0,0.020000000,0,0,0\n"
    "gcn,1,1.200000000,1.300000000,,0.000000000,0,0,0\n"
    "gcn,0,2.900000000,3.200000000,1.4,0.200000000,0,0,0\n"  // answered after
    "gcn,0,2.950000000,,0.05,,1,1,0\n"                       // never answered
    "gcn,0,2.960000000,,0.01,,1,0,1\n"                       // dropped
    "gcn,0,3.100000000,3.300000000,0.1,0.1,0,0,0\n";         // after

WindowRequests Within() {
  const auto log = ReadRequestLog(kLog, "log");
  EXPECT_TRUE(log);
  return RequestsWithin(*log, {1, 3});
}

TEST(RequestLogTest, OnlyWhatArrivedInTheWindowCounts) {
  const WindowRequests within = Within();
  ASSERT_EQ(within.rows.size(), 4u);
  EXPECT_EQ(within.dropped, 1);
  EXPECT_NEAR(within.rows[0].arrival_s, 0.2, 1e-9);  // by arrival
  EXPECT_EQ(within.rows[0].replica, 1);
  EXPECT_NEAR(within.rows[1].departure_s.value(), 0.6, 1e-9);
}

TEST(RequestLogTest, WhatIsAnsweredAfterTheEndIsCensoredThere) {
  const WindowRequests within = Within();
  EXPECT_TRUE(within.rows[2].censored);
  EXPECT_FALSE(within.rows[2].departure_s);
  // Its service would have begun after the end.
  EXPECT_FALSE(within.rows[2].queueing_s);
}

TEST(RequestLogTest, TimesAndCountsAreThoseOfTheWindow) {
  Measured row;
  FillTimes(Within(), 2, &row);
  EXPECT_EQ(row.seconds, 2);
  EXPECT_EQ(row.arrived, 5);
  EXPECT_EQ(row.completed, 2);
  EXPECT_EQ(row.censored, 2);
  EXPECT_EQ(row.dropped, 1);
  EXPECT_NEAR(row.service_mean_ms.value(), 90, 1e-6);  // 80 and 100
  EXPECT_NEAR(row.queueing_mean_ms.value(), 10, 1e-6);
  // Two answers are too few for any quantile.
  EXPECT_FALSE(row.response_p50_ms);
  EXPECT_FALSE(row.response_p99_ms);
}

TEST(RequestLogTest, NobodyAskedIsUnknownNotZero) {
  Measured row;
  FillTimes({}, 2, &row);
  EXPECT_EQ(row.arrived, 0);
  EXPECT_FALSE(row.service_mean_ms);
  EXPECT_FALSE(row.response_mean_ms);
}

TEST(RequestLogTest, SaturationLeavesHighQuantilesUnsaid) {
  WindowRequests requests;
  for (int i = 0; i < 200; ++i) {
    RequestRow row;
    row.arrival_s = i * 0.01;
    row.censored = i >= 150;
    if (!row.censored) {
      row.departure_s = row.arrival_s + 0.1;
    }
    requests.rows.push_back(row);
  }
  Measured row;
  FillTimes(requests, 2, &row);
  EXPECT_NEAR(row.response_p50_ms.value(), 100, 1e-6);
  EXPECT_FALSE(row.response_p99_ms);
}

// Overload: the few that were answered say nothing of the rest, most of which
// came too late to be seen for long.
TEST(RequestLogTest, FewAnswersOfManyGiveNoMean) {
  WindowRequests requests;
  for (int i = 0; i < 31; ++i) {
    RequestRow row;
    row.arrival_s = i < 5 ? 0 : 1.8;
    row.censored = i >= 5;
    if (!row.censored) {
      row.departure_s = 0.2 + i * 0.01;
    }
    requests.rows.push_back(row);
  }
  Measured row;
  FillTimes(requests, 2, &row);
  EXPECT_EQ(row.completed, 5);
  EXPECT_FALSE(row.response_mean_ms);
}

TEST(RequestLogTest, RubbishIsRefusedByLine) {
  EXPECT_THAT(ReadRequestLog("x\n", "log").error().message,
              testing::HasSubstr("log:1: the first line must be"));
}

}  // namespace
}  // namespace edgewise::tenants
