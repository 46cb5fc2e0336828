#include "live/registry.h"

#include <gtest/gtest.h>

namespace edgewise::live {
namespace {

Newcomer Process(const std::string& name, int32_t pid, uint32_t uid = 1000) {
  Newcomer newcomer;
  newcomer.identity.name = name;
  newcomer.pid = pid;
  newcomer.uid = uid;
  return newcomer;
}

TEST(RegistryTest, InstancesOfOneNameAreNumbered) {
  Registry registry;
  EXPECT_EQ(registry.Join(Process("cam", 10), 1).identity.instance, "0");
  EXPECT_EQ(registry.Join(Process("cam", 11), 2).identity.instance, "1");
  EXPECT_EQ(registry.Join(Process("mic", 12), 3).identity.instance, "0");
  EXPECT_EQ(registry.alive_count(), 3u);
}

TEST(RegistryTest, AnAppThatComesBackIsARestart) {
  Registry registry;
  LiveApp& app = registry.Join(Process("cam", 10), 1);
  app.account.delivered = 5;
  registry.Leave(app, 2);
  LiveApp& again = registry.Join(Process("cam", 11), 3);
  EXPECT_EQ(&app, &again);
  EXPECT_EQ(again.restarts, 1u);
  EXPECT_EQ(again.gaps, 0u);
  EXPECT_EQ(again.pid, 11);
  EXPECT_EQ(again.account_before.delivered, 5u);
  EXPECT_TRUE(again.alive);
}

TEST(RegistryTest, TheSameProcessThatComesBackIsNone) {
  Registry registry;
  LiveApp& app = registry.Join(Process("cam", 10), 1);
  registry.Leave(app, 2);
  Newcomer newcomer = Process("cam", 10);
  newcomer.detached_ns = 100;
  LiveApp& again = registry.Join(newcomer, 400);
  EXPECT_EQ(again.restarts, 0u);
  EXPECT_EQ(again.gaps, 1u);
  EXPECT_EQ(again.last_gap_ns, 300);
}

TEST(RegistryTest, AGapIsMarkedAlsoByANewAgent) {
  Registry registry;
  Newcomer newcomer = Process("cam", 10);
  newcomer.detached_ns = 1000;
  const LiveApp& app = registry.Join(newcomer, 5000);
  EXPECT_EQ(app.gaps, 1u);
  EXPECT_EQ(app.last_gap_ns, 4000);
}

TEST(RegistryTest, AGapInTheFutureIsNoneAtAll) {
  Registry registry;
  Newcomer newcomer = Process("cam", 10);
  newcomer.detached_ns = 9000;
  EXPECT_EQ(registry.Join(newcomer, 5000).gaps, 0u);
}

TEST(RegistryTest, AnotherUserCannotContinueAnApp) {
  Registry registry;
  LiveApp& app = registry.Join(Process("cam", 10, 1000), 1);
  registry.Leave(app, 2);
  const LiveApp& other = registry.Join(Process("cam", 11, 1001), 3);
  EXPECT_NE(&app, &other);
  EXPECT_EQ(other.identity.instance, "1");
}

TEST(RegistryTest, ALivingInstanceIsNobodyElses) {
  Registry registry;
  Newcomer first = Process("cam", 10);
  first.identity.instance = "north";
  Newcomer second = Process("cam", 11);
  second.identity.instance = "north";
  EXPECT_EQ(registry.Join(first, 1).identity.instance, "north");
  EXPECT_EQ(registry.Join(second, 2).identity.instance, "north-2");
}

TEST(RegistryTest, AppsExpireAfterTheirTime) {
  Registry registry(10);
  LiveApp& app = registry.Join(Process("cam", 10), 1);
  registry.Join(Process("mic", 11), 1);
  registry.Leave(app, 100);
  registry.Expire(109);
  EXPECT_EQ(registry.apps().size(), 2u);
  registry.Expire(110);
  EXPECT_EQ(registry.apps().size(), 1u);
  // Its number is free again.
  EXPECT_EQ(registry.Join(Process("cam", 12), 120).identity.instance, "0");
}

TEST(FindAppTest, FindsByNameOrNameAndInstance) {
  Registry registry;
  registry.Join(Process("cam", 10), 1);
  registry.Join(Process("cam", 11), 2);
  registry.Join(Process("mic", 12), 3);
  EXPECT_EQ((*FindApp(registry, "mic"))->pid, 12);
  EXPECT_EQ((*FindApp(registry, "cam/1"))->pid, 11);
  EXPECT_EQ(FindApp(registry, "cam").error().code, ErrorCode::kInvalid);
  const Error none = FindApp(registry, "dog").error();
  EXPECT_EQ(none.code, ErrorCode::kNotFound);
  EXPECT_NE(none.message.find("cam/0"), std::string::npos);
}

}  // namespace
}  // namespace edgewise::live
