#include "placement/forecast_nodes.h"

#include <gmock/gmock.h>

#include "prediction/small_fleet.h"
#include "prediction/train.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

class ForecastNodesTest : public testing::Test {
 protected:
  void SetUp() override {
    auto model = FitModel(SmallFleet());
    ASSERT_TRUE(model);
    model_ = *model;
    const auto query = QueryKnownNetwork(model_, "net3");
    ASSERT_TRUE(query);
    query_ = *query;
  }
  LatencyModel model_;
  Query query_;
};

TEST_F(ForecastNodesTest, TheFastestNodeIsFirstAndTheUnknownLast) {
  const auto ranking = ForecastNodes(model_, query_,
                                     {{"mystery", "Quantum 9000", "", {}, {}},
                                      {"a", "board 1", "", {}, {}},
                                      {"b", "board 2", "", {}, {}},
                                      {"c", "", "Cortex-A53 1.5GHz", 2, {}}});
  ASSERT_EQ(ranking.size(), 4U);
  EXPECT_LE(ranking[0].prediction->ms, ranking[1].prediction->ms);
  EXPECT_EQ(ranking[3].node, "mystery");
  EXPECT_FALSE(ranking[3].prediction);
  EXPECT_THAT(ranking[3].why_not, HasSubstr("spec"));
  for (const NodeForecast& forecast : ranking) {
    if (forecast.node == "c") {
      EXPECT_EQ(forecast.prediction->basis, Basis::kSpecOnly);
      EXPECT_EQ(forecast.prediction->threads, 2);
    }
  }
}

TEST_F(ForecastNodesTest, LoadMovesTheChoice) {
  std::vector<ListedNode> nodes = {{"a", "board 1", "", {}, {}},
                                   {"b", "board 2", "", {}, {}}};
  const std::string first = ForecastNodes(model_, query_, nodes)[0].node;
  for (ListedNode& node : nodes) {
    if (node.name == first) {
      node.load_percent = 90;
    }
  }
  EXPECT_THAT(ForecastNodes(model_, query_, nodes)[1].why_not,
              HasSubstr("load"));
  model_.load = LoadResponse{{}, {{0, 100}, {0, 5}}, 0.4, 12, 80};
  EXPECT_NE(ForecastNodes(model_, query_, nodes)[0].node, first);
}

}  // namespace
}  // namespace edgewise
