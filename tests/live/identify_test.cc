#include "live/identify.h"

#include <gtest/gtest.h>

#include "../probes/fake_tree.h"

namespace edgewise::live {
namespace {

const std::string kId(64, 'c');

// A machine with processes of its own.
class IdentifyTest : public testing::Test {
 protected:
  static RingClient Client(std::string program, std::string identity = "") {
    return {1, 42, 1000, std::move(program), std::move(identity)};
  }
  FakeTree machine_;
};

TEST_F(IdentifyTest, TheProgramNamesTheApp) {
  const Newcomer newcomer =
      Identifier(machine_.root()).Identify(Client("detector"));
  EXPECT_EQ(newcomer.identity.name, "detector");
  EXPECT_EQ(newcomer.identity.container, "");
  EXPECT_EQ(newcomer.pid, 42);
  EXPECT_EQ(newcomer.uid, 1000u);
}

TEST_F(IdentifyTest, AnInterpreterIsNamedAfterItsScript) {
  using namespace std::string_literals;
  machine_.Write("proc/42/cmdline", "python3\0/app/count.py\0"s);
  Identifier identifier(machine_.root());
  EXPECT_EQ(identifier.Identify(Client("python3.11")).identity.name, "count");
  EXPECT_EQ(identifier.Identify(42, 1000).identity.name, "count");
}

TEST_F(IdentifyTest, WhatTheAppSaysComesFirst) {
  const Newcomer newcomer =
      Identifier(machine_.root())
          .Identify(
              Client("python3",
                     "app=tracker\ninstance=n\nlabels=a=b\ndetached_ns=7\n"));
  EXPECT_EQ(newcomer.identity.name, "tracker");
  EXPECT_EQ(newcomer.identity.instance, "n");
  EXPECT_EQ(newcomer.identity.labels.size(), 1u);
  EXPECT_EQ(newcomer.detached_ns, 7);
}

TEST_F(IdentifyTest, AProcessThatIsGoneHasANameAllTheSame) {
  EXPECT_EQ(Identifier(machine_.root()).Identify(42, 1000).identity.name,
            "unnamed");
}

TEST_F(IdentifyTest, ContainersHaveTheNameOfTheEngineOrTheirId) {
  machine_.Write("proc/42/cgroup", "0::/docker/" + kId + "\n");
  EXPECT_EQ(
      Identifier(machine_.root()).Identify(Client("x")).identity.container,
      kId.substr(0, 12));
  machine_.Write("var/lib/docker/containers/" + kId + "/config.v2.json",
                 R"({"Name": "/cars", "Config": {"Labels": {
            "io.kubernetes.pod.name": "cars-0",
            "io.kubernetes.pod.namespace": "edge"}}})");
  const Newcomer newcomer = Identifier(machine_.root()).Identify(Client("x"));
  EXPECT_EQ(newcomer.identity.container, "cars");
  EXPECT_EQ(newcomer.identity.pod, "edge/cars-0");
}

}  // namespace
}  // namespace edgewise::live
