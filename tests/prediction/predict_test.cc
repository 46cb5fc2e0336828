#include "prediction/predict.h"

#include <gmock/gmock.h>

#include <cmath>

#include "prediction/small_fleet.h"
#include "prediction/train.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

class PredictTest : public testing::Test {
 protected:
  void SetUp() override {
    auto model = FitModel(SmallFleet());
    ASSERT_TRUE(model);
    model_ = *model;
    model_.widths[0] = IntervalWidth{0.3, 0.4};
  }
  LatencyModel model_;
};

TEST_F(PredictTest, DevicesAreRankedEachInItsFastestSetting) {
  const auto query = QueryKnownNetwork(model_, "net3");
  ASSERT_TRUE(query);
  const auto ranking = RankDevices(model_, *query, std::nullopt);
  ASSERT_EQ(ranking.size(), 12u);
  for (size_t i = 1; i < ranking.size(); ++i) {
    EXPECT_LE(ranking[i - 1].ms, ranking[i].ms);
  }
  EXPECT_NEAR(*ranking[0].low_ms, ranking[0].ms * std::exp(-0.3), 1e-9);
  EXPECT_NEAR(*ranking[0].high_ms, ranking[0].ms * std::exp(0.4), 1e-9);
}

TEST_F(PredictTest, MoreWorkIsNeverFasterOnAnyRun) {
  for (int n = 0; n < 14; ++n) {
    const CostVector costs = CostsOf(SomeNetwork(n));
    for (size_t k = 0; k < kCostTerms; ++k) {
      CostVector more = costs;
      more[k] = 1.3 * more[k] + 1;
      for (const KnownRun& run : model_.runs) {
        EXPECT_GT(PredictOnRun(model_, {"more", more}, run)->ms,
                  PredictOnRun(model_, {"less", costs}, run)->ms);
      }
    }
  }
}

TEST_F(PredictTest, AnUnknownDeviceIsNeverTakenForAnother) {
  const auto query = QueryKnownNetwork(model_, "net3");
  ASSERT_TRUE(query);
  const auto predictions =
      PredictOnDevice(model_, *query, "board 99", std::nullopt);
  ASSERT_FALSE(predictions);
  EXPECT_THAT(predictions.error().message, HasSubstr("--spec"));
}

TEST_F(PredictTest, AMistypedNetworkIsSuggested) {
  const auto query = QueryKnownNetwork(model_, "nett3");
  ASSERT_FALSE(query);
  EXPECT_THAT(query.error().message, HasSubstr("did you mean net3"));
}

TEST_F(PredictTest, ANetworkOfAnotherWorldIsMarked) {
  CostVector costs = CostsOf(SomeNetwork(1));
  EXPECT_FALSE(
      PredictOnRun(model_, {"x", costs}, model_.runs[0])->out_of_distribution);
  for (double& cost : costs) {
    cost *= 1e16;
  }
  const auto far = PredictOnRun(model_, {"x", costs}, model_.runs[0]);
  EXPECT_TRUE(far->out_of_distribution);
  EXPECT_TRUE(std::isfinite(far->ms));
}

TEST_F(PredictTest, TheEightFieldsAloneGiveACoarsePrediction) {
  Characteristics fields;
  fields.conv_layers = 5;
  fields.total_parameters = 1e5;
  fields.model_input_bytes = 4e4;
  const auto ranking = RankDevices(model_, {"m", fields}, std::nullopt);
  ASSERT_FALSE(ranking.empty());
  EXPECT_EQ(ranking[0].basis, Basis::kCoarse);
  EXPECT_FALSE(PredictBySpec(model_, {"m", fields}, "d", {}));
}

TEST_F(PredictTest, LoadMakesItSlowerAndLessCertain) {
  const auto query = QueryKnownNetwork(model_, "net3");
  const Prediction idle = *PredictOnRun(model_, *query, model_.runs[1]);
  EXPECT_FALSE(UnderLoad(model_, idle, 50));
  model_.load = LoadResponse{{}, {{0, 100}, {0, 1}}, 0.4, 12, 80};
  const auto loaded = UnderLoad(model_, idle, 50);
  ASSERT_TRUE(loaded);
  EXPECT_NEAR(loaded->ms, idle.ms * std::exp(0.5), 1e-9);
  EXPECT_NEAR(std::log(loaded->ms / *loaded->low_ms), 0.5, 1e-9);
  EXPECT_NEAR(std::log(*loaded->high_ms / loaded->ms), std::hypot(0.4, 0.4),
              1e-9);
  EXPECT_EQ(loaded->load_percent, 50);
  const auto hardly = UnderLoad(model_, idle, 5);
  EXPECT_LT(*hardly->high_ms / hardly->ms, *loaded->high_ms / loaded->ms);
  const auto unloaded = UnderLoad(model_, idle, 0);
  EXPECT_DOUBLE_EQ(unloaded->ms, idle.ms);
  EXPECT_DOUBLE_EQ(*unloaded->low_ms, *idle.low_ms);
  EXPECT_DOUBLE_EQ(*unloaded->high_ms, *idle.high_ms);
  model_.load->log_error_90 = std::nullopt;
  EXPECT_FALSE(UnderLoad(model_, idle, 50)->low_ms);
}

}  // namespace
}  // namespace edgewise
