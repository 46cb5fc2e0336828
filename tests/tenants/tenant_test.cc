#include "tenants/tenant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::tenants {
namespace {

using testing::HasSubstr;

TEST(NineTenantsTest, AreNineWithMemoryAndDifferentNames) {
  EXPECT_EQ(NineTenants().size(), 9u);
  const auto all = TenantsFrom({"nine"});
  ASSERT_TRUE(all);
  for (const Tenant& tenant : *all) {
    EXPECT_GT(tenant.memory_bytes, 0) << tenant.name;
  }
}

TEST(ReadTenantsTest, CommandsAndImagesAreRead) {
  const auto tenants = ReadTenants(
      "tenants:\n"
      "  - name: resize\n"
      "    command: ./resize --port {port}\n"
      "    ask: {http: \"http://127.0.0.1:{port}/r\"}\n"
      "    memory: 100MiB\n"
      "    knobs: {replicas: 2, rate: 40}\n"
      "  - {name: echo, command: cat, ask: {line: hello}, memory: 1MiB, queue: "
      "4}\n"
      "  - {name: boxed, image: 'localhost/b:1', args: ['{port}'],\n"
      "     ask: {http: 'http://127.0.0.1:{port}/'}, memory: 5MiB}\n"
      "  - {name: big, service: gcn, scale: 3, memory: 80MiB}\n",
      "t.yaml");
  ASSERT_TRUE(tenants) << tenants.error().message;
  ASSERT_EQ(tenants->size(), 4u);
  const Tenant& resize = tenants->front();
  EXPECT_EQ(resize.asking, Asking::kHttp);
  EXPECT_EQ(resize.command.size(), 3u);
  EXPECT_EQ(resize.memory_bytes, 100 << 20);
  EXPECT_EQ(resize.most_replicas, 2);
  EXPECT_EQ(resize.most_rate_per_s, 40);
  EXPECT_EQ((*tenants)[1].asking, Asking::kLines);
  EXPECT_EQ((*tenants)[1].queue, 4);
  EXPECT_EQ((*tenants)[2].image, "localhost/b:1");
  EXPECT_EQ((*tenants)[3].scale, 3);
}

TEST(ReadTenantsTest, OneTenantNeedsNoList) {
  const auto tenants = ReadTenants(
      "name: echo\ncommand: cat\nask: {line: x}\nmemory: 1MiB\n", "t.yaml");
  ASSERT_TRUE(tenants) << tenants.error().message;
  EXPECT_EQ(tenants->size(), 1u);
}

TEST(ReadTenantsTest, OneReplicaMayHaveAPortOfItsOwn) {
  for (const char* yaml :
       {"{name: a, command: cat, ask: {http: 'http://h:80/'}, memory: 1MiB,"
        " knobs: {replicas: 1}}",
        "{name: a, image: i, ask: {http: 'http://h:80/'}, memory: 1MiB,"
        " knobs: {replicas: 1}}",
        // Containers are told by $PORT, too.
        "{name: a, image: i, ask: {http: 'http://h:{port}/'}, memory: 1MiB}"}) {
    const auto read = ReadTenants(yaml, "t.yaml");
    EXPECT_TRUE(read) << read.error().message;
  }
}

struct Wrong {
  const char* yaml;
  const char* says;
};

TEST(ReadTenantsTest, WhatIsWrongIsSaidWithItsLine) {
  const Wrong wrongs[] = {
      {"{name: 'a b', service: gcn, memory: 1MiB}", "needs a name of letters"},
      {"{name: a, memory: 1MiB}", "one of service, command and image"},
      {"{name: a, service: gcn, command: cat, memory: 1MiB}", "one of service"},
      {"{name: a, command: cat, memory: 1MiB}", "needs ask"},
      {"{name: a, command: cat, ask: {line: x}}", "needs its memory"},
      {"{name: a, command: cat, ask: {}, memory: 1MiB}", "ask is either"},
      {"{name: a, image: i, ask: {line: x}, memory: 1MiB}", "over HTTP"},
      {"{name: a, service: gcn, ask: {line: x}, memory: 1MiB}",
       "leave ask out"},
      {"{name: a, service: gcn, memory: lots}", "memory:"},
      {"{name: a, service: gcn, memory: 1MiB, knob: 1}", "knobs"},
      {"tenants: []", "there is no tenant"},
      {"{name: a, service: gnc, memory: 1MiB}", "did you mean gcn?"},
      {"{name: a, service: nosuch, memory: 1MiB}", "there are gcn, forest"},
      {"{name: a, service: gcn, memory: 1MiB, queue: 1.5}",
       "queue must be a whole number"},
      {"{name: a, command: cat, ask: {line: x}, memory: 1MiB, scale: 2}",
       "scale is for a service"},
      {"{name: a, command: cat, ask: {line: x}, memory: 1MiB, args: [b]}",
       "args and engine_args are for an image"},
      {"{name: a, service: gcn, memory: 1MiB, engine_args: [b]}",
       "args and engine_args are for an image"},
      {"{name: a, command: cat, ask: {line: \"a\\nb\"}, memory: 1MiB}",
       "one line"},
      {"{name: a, command: cat, ask: {http: 'http://h:80/'}, memory: 1MiB}",
       "a port each"},
      {"{name: a, command: cat, ask: {http: 'http://h:{port}/'}, memory: 1MiB}",
       "both in ask and in the command"},
      {"{name: a, image: i, ask: {http: 'http://h:80/'}, memory: 1MiB}",
       "a port each"},
  };
  for (const Wrong& wrong : wrongs) {
    const auto read = ReadTenants(wrong.yaml, "t.yaml");
    ASSERT_FALSE(read) << wrong.yaml;
    EXPECT_THAT(read.error().message, HasSubstr("t.yaml:1"));
    EXPECT_THAT(read.error().message, HasSubstr(wrong.says));
  }
}

TEST(TenantsFromTest, NamesAreTakenAndNearOnesSuggested) {
  const auto two = TenantsFrom({"gcn,lstm"});
  ASSERT_TRUE(two);
  EXPECT_EQ(two->size(), 2u);
  EXPECT_THAT(TenantsFrom({"gnc"}).error().message,
              HasSubstr("did you mean gcn?"));
  EXPECT_THAT(TenantsFrom({"nine", "gcn"}).error().message,
              HasSubstr("\"gcn\" is there twice"));
}

}  // namespace
}  // namespace edgewise::tenants
