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

TEST(InstanceFilesTest, LargeInstancesAreReadBack) {
  std::vector<Request> requests(15'000);
  std::vector<Server> servers(5'000);
  for (size_t i = 0; i < requests.size(); ++i) {
    requests[i].name = "r" + std::to_string(i);
    requests[i].app = "gcn";
    requests[i].rate_per_s = 1;
    requests[i].sla.delay_ns = 5'000'000;
  }
  for (size_t i = 0; i < servers.size(); ++i) {
    servers[i].name = "s" + std::to_string(i);
    servers[i].memory_bytes = 1 << 30;
  }
  const auto read = ReadRequests(WriteRequests(requests), "r.yaml");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->size(), requests.size());
  const auto there = ReadServers(WriteServers(servers), "s.yaml");
  ASSERT_TRUE(there.ok()) << there.error().message;
  EXPECT_EQ(there->size(), servers.size());
}

TEST(InstanceFilesTest, TooManyServersAreRefusedWithBothFigures) {
  std::string yaml = "servers: [";
  for (size_t i = 0; i <= kMostServers; ++i) {
    yaml += "{},";
  }
  const auto read = ReadServers(yaml + "]\n", "s.yaml");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message,
            "s.yaml:1: `servers` must list at most 10,000, not 10,001");
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

TEST(InstanceFilesTest, WattsAreWrittenEachByItself) {
  const auto servers = ReadServers(
      "servers:\n  - {name: a, memory: 1GiB, idle_watts: 7}\n"
      "  - {name: b, memory: 1GiB, busy_watts: 9}\n",
      "s.yaml");
  ASSERT_TRUE(servers.ok());
  const auto again = ReadServers(WriteServers(*servers), "s.yaml");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->at(0).idle_watts, 7);
  EXPECT_EQ(again->at(0).busy_watts, std::nullopt);
  EXPECT_EQ(again->at(1).busy_watts, 9);
}

TEST(InstanceFilesTest, MoreMemoryThanCanBeAddedUpIsRefused) {
  const auto read =
      ReadServers("servers:\n  - {name: a, memory: 33TiB}\n", "s.yaml");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("32TiB"), std::string::npos);
}

TEST(InstanceFilesTest, OneNameWithTwoPromisesIsRefused) {
  const std::string one =
      "  - {name: a, app: gcn, rate: 1, pay: 1, sla: {delay_ms: 9}}\n";
  const auto read = ReadRequests("requests:\n" + one + one, "r.yaml");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("twice"), std::string::npos);
}

TEST(InstanceFilesTest, ASpreadRequestIsOneForEachReplica) {
  const auto requests = ReadRequests(
      "requests:\n  - {name: a, app: gcn, replicas: 3, rate: 2, sla: "
      "{delay_ms: 10}, pay: 1, spread: true}\n",
      "r.yaml");
  ASSERT_TRUE(requests.ok()) << requests.error().message;
  ASSERT_EQ(requests->size(), 3u);
  int64_t pay = 0;
  for (const Request& request : *requests) {
    EXPECT_EQ(request.replicas, 1);
    pay += request.pay_micros;
  }
  EXPECT_EQ(pay, 1'000'000) << "nothing is lost by rounding";
  EXPECT_EQ((*requests)[2].name, "a-3");
}

TEST(InstanceFilesTest, FilesOfManyRequestsAreRead) {
  std::string yaml = "requests:\n";
  const size_t count = 1500;
  for (size_t i = 0; i < count; ++i) {
    yaml += "  - {name: r" + std::to_string(i) +
            ", app: gcn, rate: 2, sla: {delay_ms: 10}, pay: 1} # " +
            std::string(700, 'x') + "\n";
  }
  ASSERT_GT(yaml.size(), size_t{1} << 20);
  const auto requests = ReadRequests(yaml, "r.yaml");
  ASSERT_TRUE(requests.ok()) << requests.error().message;
  EXPECT_EQ(requests->size(), count);
}

TEST(InstanceFilesTest, CpusOfAServerAreKept) {
  const auto servers = ReadServers(
      "servers:\n  - {name: a, memory: 1GiB, cpus: \"0,2-3\"}\n", "s.yaml");
  ASSERT_TRUE(servers.ok()) << servers.error().message;
  EXPECT_EQ((*servers)[0].cpus, (std::vector<int>{0, 2, 3}));
  const auto again = ReadServers(WriteServers(*servers), "s.yaml");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ((*again)[0].cpus, (*servers)[0].cpus);
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
