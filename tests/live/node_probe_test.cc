#include "live/node_probe.h"

#include <gtest/gtest.h>

#include "../probes/fake_tree.h"
#include "base/clock.h"
#include "live/node_uuid.h"

namespace edgewise::live {
namespace {

TEST(ParseMeminfoTest, ReadsWhatIsThere) {
  const auto memory = ParseMeminfo(
      "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:  600 kB\n"
      "SwapTotal: 50 kB\nSwapFree: 20 kB\n");
  ASSERT_TRUE(memory.has_value());
  EXPECT_EQ(memory->total_bytes, 1000 * 1024);
  EXPECT_EQ(memory->available_bytes, 600 * 1024);
  EXPECT_EQ(memory->swap_free_bytes, 20 * 1024);
  EXPECT_FALSE(ParseMeminfo("MemTotal: 5 kB\n").has_value());
}

TEST(NodeProbeTest, ReadsThisMachine) {
  NodeProbe probe;
  const NodeReading reading = probe.Read(MonotonicNs());
  ASSERT_TRUE(reading.memory.has_value());
  EXPECT_GT(reading.memory->total_bytes, 0);
  ASSERT_EQ(reading.disks.size(), 1u);
  EXPECT_GT(reading.disks[0].total_bytes, 0);
  EXPECT_FALSE(reading.cpu_percent.has_value());
}

TEST(NodeProbeTest, AnEmptyMachineHasNothing) {
  NodeProbe probe("/nonexistent", "/nonexistent", "/nonexistent");
  const NodeReading reading = probe.Read(MonotonicNs());
  EXPECT_FALSE(reading.cpu.has_value());
  EXPECT_FALSE(reading.memory.has_value());
  EXPECT_TRUE(reading.disks.empty());
  EXPECT_TRUE(reading.temperatures.empty());
}

class NodeUuidTest : public testing::Test {
 protected:
  FakeTree machine_;
};

TEST_F(NodeUuidTest, ComesFromTheMachineAndHidesIt) {
  const std::string id(32, '7');
  machine_.Write("etc/machine-id", id + "\n");
  const auto uuid = NodeUuid(machine_ / "home", machine_.root());
  ASSERT_TRUE(uuid);
  EXPECT_EQ(*uuid, UuidFrom(id));
  EXPECT_EQ(uuid->size(), 36u);
  EXPECT_EQ(uuid->find("7777777"), std::string::npos);
  EXPECT_NE(*uuid, UuidFrom(std::string(32, '8')));
}

TEST_F(NodeUuidTest, IsKeptWhereTheMachineHasNone) {
  const auto first = NodeUuid(machine_ / "home", machine_.root());
  const auto second = NodeUuid(machine_ / "home", machine_.root());
  ASSERT_TRUE(first);
  EXPECT_EQ(*first, *second);
  EXPECT_NE(*first, *NodeUuid(machine_ / "other", machine_.root()));
}

}  // namespace
}  // namespace edgewise::live
