#include "orchestration/instance_files.h"

#include <gtest/gtest.h>

#include "orchestration/generate.h"
#include "orchestration/pressure_model.h"

namespace edgewise::orchestration {
namespace {

std::string RequestWith(const std::string& more) {
  return "requests:\n  - {name: a, app: gcn, " + more + "}\n";
}

TEST(InstanceFilesTest, WhatIsWrittenIsReadBack) {
  const PressureModel model(AssumedPressures());
  const Instance instance = Generate({}, model);
  const std::string requests = WriteRequests(instance.requests);
  const auto read = ReadRequests(requests, "r.yaml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(WriteRequests(*read), requests);
  EXPECT_EQ(read->front().pay_micros, instance.requests.front().pay_micros);
  const std::string servers = WriteServers(instance.servers);
  const auto again = ReadServers(servers, "s.yaml");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(WriteServers(*again), servers);
}

TEST(InstanceFilesTest, BadRequestsAreRefusedWithTheirLine) {
  const std::string good = "rate: 1, pay: 1, sla: {quantile: p95, delay_ms: 9}";
  EXPECT_TRUE(ReadRequests(RequestWith(good), "r.yaml").ok());
  for (const char* bad :
       {"rate: .nan, pay: 1, sla: {quantile: p95, delay_ms: 9}",
        "rate: -1, pay: 1, sla: {quantile: p95, delay_ms: 9}",
        "rate: 1, pay: -1, sla: {quantile: p95, delay_ms: 9}",
        "rate: 1, pay: 1e9, sla: {quantile: p95, delay_ms: 9}",
        "rate: 1, sla: {quantile: p95, delay_ms: 9}",
        "rate: 1, pay: 1, sla: {quantile: p100, delay_ms: 9}",
        "rate: 1, pay: 1, sla: {quantile: p95}",
        "rate: 1, pay: 1, replicas: 0, sla: {quantile: p95, delay_ms: 9}",
        "rate: 1, pay: 1, replicas: 1.5, sla: {quantile: p95, delay_ms: 9}",
        "rate: 1, pay: 1, memory: none, sla: {quantile: p95, delay_ms: 9}"}) {
    const auto read = ReadRequests(RequestWith(bad), "r.yaml");
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_NE(read.error().message.find("r.yaml:2"), std::string::npos)
        << read.error().message;
  }
}

TEST(InstanceFilesTest, OneNameWithTwoPromisesIsRefused) {
  const std::string one =
      "  - {name: a, app: gcn, rate: 1, pay: 1, sla: {delay_ms: 9}}\n";
  const auto read = ReadRequests("requests:\n" + one + one, "r.yaml");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("twice"), std::string::npos);
}

TEST(InstanceFilesTest, AnEmptyClusterIsRefused) {
  EXPECT_FALSE(ReadServers("servers: []\n", "s.yaml").ok());
  EXPECT_FALSE(ReadServers("servers: [{name: a}]\n", "s.yaml").ok());
}

TEST(InstanceFilesTest, MoneyHasNoNeedlessDigits) {
  EXPECT_EQ(MoneyText(3'200'000), "3.2");
  EXPECT_EQ(MoneyText(5'000'000), "5");
  EXPECT_EQ(MoneyText(1), "0.000001");
}

}  // namespace
}  // namespace edgewise::orchestration
