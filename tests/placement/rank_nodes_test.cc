#include "placement/rank_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shipped_model.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

class RankNodesTest : public testing::Test {
 protected:
  cluster::NodeState& Add(const std::string& name, const std::string& model,
                          std::optional<double> busy_percent) {
    cluster::NodeState node;
    node.name = name;
    node.device_model = model;
    node.cpu_busy_percent = busy_percent;
    node.memory_available_bytes = 2e9;
    node.age_s = 1;
    state_->nodes.push_back(node);
    return state_->nodes.back();
  }
  std::vector<RankedNode> Rank(const Query& query,
                               std::optional<double> memory_bytes = 1e8) {
    return PlacementCluster(state_, hardware_, {}).Rank(query, memory_bytes);
  }
  std::string NameOf(const RankedNode& ranked) const {
    return state_->nodes[ranked.node].name;
  }
  const Hardware hardware_{ShippedModel()};
  std::shared_ptr<cluster::ClusterState> state_ =
      std::make_shared<cluster::ClusterState>();
};

TEST_F(RankNodesTest, FasterBoardsAndIdlerNodesComeFirst) {
  Add("busy", "Raspberry Pi 4B", 90);
  Add("idle", "Raspberry Pi 4 Model B Rev 1.4", 5);
  Add("fast", "Raspberry Pi 5", 5);
  const auto network = QueryKnownNetwork(ShippedModel(), "mobilenet_v2");
  for (const Query& query : {SomeModel(), *network}) {
    const auto ranking = Rank(query);
    ASSERT_EQ(ranking.size(), 3U);
    EXPECT_EQ(NameOf(ranking[0]), "fast");
    EXPECT_EQ(NameOf(ranking[1]), "idle");
    EXPECT_EQ(NameOf(ranking[2]), "busy");
  }
}

TEST_F(RankNodesTest, ModelThatDoesNotFitIsNotPlaced) {
  Add("small", "Raspberry Pi 5", 5).memory_available_bytes = 5e7;
  Add("large", "Raspberry Pi 4B", 5);
  const auto ranking = Rank(SomeModel());
  EXPECT_EQ(NameOf(ranking[0]), "large");
  EXPECT_THAT(ranking[1].why_not, HasSubstr("memory"));
  EXPECT_EQ(Rank(SomeModel(), 1e10)[0].why_not.empty(), false);
  EXPECT_EQ(NameOf(Rank(SomeModel(), std::nullopt)[0]), "small");
}

TEST_F(RankNodesTest, AllItsMemoryCountsWhereFreeIsNotKnown) {
  cluster::NodeState& node = Add("a", "Raspberry Pi 5", 5);
  node.memory_available_bytes = std::nullopt;
  node.memory_total_bytes = 5e7;
  EXPECT_THAT(Rank(SomeModel())[0].why_not, HasSubstr("all it has"));
  node.memory_total_bytes = std::nullopt;
  EXPECT_EQ(Rank(SomeModel())[0].why_not, "");
}

TEST_F(RankNodesTest, StaleAndBlindNodesAreListedButNotPlacedOn) {
  Add("stale", "Raspberry Pi 5", 5).age_s = 600;
  Add("blind", "Raspberry Pi 5", std::nullopt);
  Add("seen", "Raspberry Pi 4B", 50);
  const auto ranking = Rank(SomeModel());
  EXPECT_EQ(NameOf(ranking[0]), "seen");
  EXPECT_THAT(ranking[1].why_not + ranking[2].why_not,
              testing::AllOf(HasSubstr("old"), HasSubstr("CPU load")));
}

TEST_F(RankNodesTest, UnknownHardwareIsPredictedByItsSpec) {
  Add("a", "Acme Board 7", 5).cpu_brand = "Cortex-A72";
  const auto ranking = Rank(SomeModel());
  EXPECT_EQ(ranking[0].why_not, "");
  EXPECT_EQ(ranking[0].basis, Basis::kSpecOnly);
  ASSERT_TRUE(ranking[0].ms && ranking[0].low_ms);
}

TEST_F(RankNodesTest, NoNodesIsAnEmptyRanking) {
  EXPECT_TRUE(Rank(SomeModel()).empty());
}

}  // namespace
}  // namespace edgewise
