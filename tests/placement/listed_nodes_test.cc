#include "placement/listed_nodes.h"

#include <gmock/gmock.h>

namespace edgewise {
namespace {

using testing::HasSubstr;

TEST(ClusterNodesTest, NodesAreReadInOrder) {
  const auto nodes = ReadListedNodes(
      "nodes:\n"
      "  - {name: kitchen, device: Raspberry Pi 4B, threads: 4, load_percent: "
      "30}\n"
      "  - {name: attic.lan, spec: Cortex-A76 2.4GHz}\n",
      "nodes.yaml");
  ASSERT_TRUE(nodes) << nodes.error().message;
  ASSERT_EQ(nodes->size(), 2U);
  EXPECT_EQ((*nodes)[0].device, "Raspberry Pi 4B");
  EXPECT_EQ((*nodes)[0].threads, 4);
  EXPECT_EQ((*nodes)[0].load_percent, 30);
  EXPECT_EQ((*nodes)[1].name, "attic.lan");
  EXPECT_FALSE((*nodes)[1].threads);
  EXPECT_FALSE((*nodes)[1].load_percent);
}

TEST(ClusterNodesTest, WhatIsWrongIsSaidWithItsLine) {
  for (const auto& [yaml, words] :
       {std::pair("nodes: []\n", "lists no node"),
        std::pair("nodes:\n  - {device: x}\n", "needs a name"),
        std::pair("nodes:\n  - {name: Kitchen}\n", "nodes.yaml:2"),
        std::pair("nodes:\n  - {name: a}\n  - {name: a}\n", "twice"),
        std::pair("nodes:\n  - {name: a, load_percent: 101}\n", "load_percent"),
        std::pair("nodes:\n  - {name: a, treads: 2}\n", "threads"),
        std::pair("node: a\n", "nodes"), std::pair("", "nodes.yaml")}) {
    const auto nodes = ReadListedNodes(yaml, "nodes.yaml");
    ASSERT_FALSE(nodes) << yaml;
    EXPECT_THAT(nodes.error().message, HasSubstr(words));
  }
}

}  // namespace
}  // namespace edgewise
