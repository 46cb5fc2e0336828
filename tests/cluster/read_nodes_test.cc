#include "cluster/read_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::cluster {
namespace {

using testing::HasSubstr;

constexpr double kNow = 1000;

class ReadNodesTest : public testing::Test {
 protected:
  void Describe(const std::string& name, const std::string& model,
                const std::string& uuid, double time_s) {
    std::map<std::string, std::string> labels = {
        {"char_node_name", name},
        {"char_node_class", "Computer"},
        {"char_node_uuid", uuid}};
    Add(Series::kDeviceTime, labels, time_s);
    labels["char_node_device_model_name"] = model;
    Add(Series::kDevice, labels, 1);
  }
  void AddLoad(const std::string& instance, double busy, double time_s) {
    Add(Series::kCpuBusy, {{"instance", instance}}, busy);
    Add(Series::kLoadTime, {{"instance", instance}}, time_s);
    Add(Series::kMemoryAvailable, {{"instance", instance}}, 1e9);
    Add(Series::kDiskUsed, {{"instance", instance}}, 0.5);
  }
  void Add(Series series, std::map<std::string, std::string> labels,
           double value) {
    answers_[static_cast<size_t>(series)].push_back(
        {std::move(labels), value, kNow});
  }
  Answers answers_;
};

TEST_F(ReadNodesTest, SeriesAreJoinedByNameNotByPosition) {
  Describe("b", "Board B", "1", kNow);
  Describe("a", "Board A", "2", kNow);
  AddLoad("a", 0.25, kNow - 1);
  AddLoad("b", 0.75, kNow - 2);
  const auto nodes = NodesFrom(answers_);
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].name, "a");
  EXPECT_EQ(nodes[0].device_model, "Board A");
  EXPECT_DOUBLE_EQ(*nodes[0].cpu_busy_percent, 25);
  EXPECT_DOUBLE_EQ(*nodes[0].age_s, 1);
  EXPECT_DOUBLE_EQ(*nodes[1].cpu_busy_percent, 75);
  EXPECT_DOUBLE_EQ(*nodes[1].disk_used_percent, 50);
}

TEST_F(ReadNodesTest, InstancesWithAPortAndHostNamesAreFound) {
  Describe("a", "", "1", kNow);
  Describe("b", "", "2", kNow);
  AddLoad("a:9100", 0.5, kNow);
  AddLoad("10.0.0.2:9100", 0.6, kNow);
  Add(Series::kHostNames, {{"instance", "10.0.0.2:9100"}, {"nodename", "b"}},
      1);
  const auto nodes = NodesFrom(answers_);
  EXPECT_DOUBLE_EQ(*nodes[0].cpu_busy_percent, 50);
  EXPECT_DOUBLE_EQ(*nodes[1].cpu_busy_percent, 60);
}

TEST_F(ReadNodesTest, MissingSeriesAreUnknownForThatNodeOnly) {
  Describe("a", "Board", "1", kNow);
  Describe("b", "Board", "1", kNow);
  AddLoad("b", 0.5, kNow);
  const auto nodes = NodesFrom(answers_);
  EXPECT_FALSE(nodes[0].cpu_busy_percent);
  EXPECT_FALSE(nodes[0].memory_available_bytes);
  EXPECT_TRUE(nodes[1].cpu_busy_percent);
}

TEST_F(ReadNodesTest, OfAnAgentThatWasReplacedTheNewestCounts) {
  Describe("a", "New Board", "new", kNow - 1);
  Describe("a", "Old Board", "old", kNow - 200);
  const auto nodes = NodesFrom(answers_);
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0].device_model, "New Board");
}

TEST_F(ReadNodesTest, AgeIsThatOfTheOldestFigure) {
  Describe("a", "Board", "1", kNow - 90);
  AddLoad("a", 0.5, kNow - 2);
  EXPECT_DOUBLE_EQ(*NodesFrom(answers_)[0].age_s, 90);
}

TEST_F(ReadNodesTest, CharacteristicsAreTakenByName) {
  Describe("a", "Board", "1", kNow);
  Add(Series::kMemoryTotal, {{"char_node_name", "a"}}, 4e9);
  Add(Series::kMemoryTotal, {{"char_node_name", "gone"}}, 8e9);
  Add(Series::kCores,
      {{"char_node_name", "a"}, {"char_node_cpu_brand", "Cortex-A72"}}, 4);
  const auto nodes = NodesFrom(answers_);
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_DOUBLE_EQ(*nodes[0].memory_total_bytes, 4e9);
  EXPECT_EQ(nodes[0].cores, 4);
  EXPECT_EQ(nodes[0].cpu_brand, "Cortex-A72");
}

TEST(QueryForTest, CpuLoadIsWhatIsNotIdle) {
  EXPECT_THAT(
      QueryFor(Series::kCpuBusy, "90s"),
      testing::AllOf(HasSubstr("mode=\"idle\"}[90s]"), HasSubstr("1 - ")));
}

}  // namespace
}  // namespace edgewise::cluster
