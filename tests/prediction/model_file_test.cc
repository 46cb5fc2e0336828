#include "prediction/model_file.h"

#include <gmock/gmock.h>

#include "prediction/calibrate_device.h"
#include "prediction/predict.h"
#include "prediction/small_fleet.h"
#include "prediction/train.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

LatencyModel Trained() {
  auto model = FitModel(SmallFleet());
  EXPECT_TRUE(model);
  model->source = "tests";
  model->widths[0] = IntervalWidth{0.3, 0.4};
  model->metrics.push_back({"new network", {}});
  model->load = LoadResponse{{{0, 40, 80}, {0, 0.1, 0.5}}, {}, 0.2, 12, 80};
  return *model;
}

TEST(ModelFileTest, WhatIsWrittenIsReadAgain) {
  LatencyModel model = Trained();
  const auto placed = CalibrateDevice(model, "mine", {}, {{"net1", 2.0}});
  ASSERT_TRUE(placed);
  model.runs.push_back(placed->run);
  const std::string text = WriteModel(model);
  const auto again = ReadModel(text, "m.ewm");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(WriteModel(*again), text);
  EXPECT_EQ(again->source, "tests");
  ASSERT_TRUE(again->load);
  EXPECT_NEAR(again->load->LogSlowdown(60, 4), 0.3, 1e-9);
  EXPECT_GT(again->runs.back().corrections.size(), 0);
  const auto query = QueryKnownNetwork(model, "net2");
  ASSERT_TRUE(query);
  EXPECT_NEAR(PredictOnRun(model, *query, model.runs[3])->ms,
              PredictOnRun(*again, *query, again->runs[3])->ms,
              1e-3 * PredictOnRun(model, *query, model.runs[3])->ms);
}

TEST(ModelFileTest, AModelTrainedWithoutTheEightFieldsIsReadAgain) {
  LatencyData data = SmallFleet();
  for (auto& fields : data.characteristics) {
    fields.reset();
  }
  const auto model = FitModel(data);
  ASSERT_TRUE(model);
  const auto again = ReadModel(WriteModel(*model), "m.ewm");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->runs[0].coarse_level);
}

TEST(ModelFileTest, DamagedFilesAreRefusedWithTheField) {
  const std::string text = WriteModel(Trained());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    const auto model = ReadModel(changed, "m.ewm");
    return model ? std::string() : model.error().message;
  };
  EXPECT_THAT(with("\"version\": 1", "\"version\": 2"), HasSubstr("version"));
  EXPECT_THAT(with("\"log_rates\":[", "\"log_rates\":[1,"),
              HasSubstr("log_rates"));
  EXPECT_THAT(with("\"noise\":0.", "\"noise\":-0."), HasSubstr("noise"));
  EXPECT_THAT(with("\"percent\":[0.0,40.0", "\"percent\":[0.0,90.0"),
              HasSubstr("one_thread"));
  EXPECT_THAT(with("\"log_slowdown\":[0.0,0.1", "\"log_slowdown\":[0.0,0.9"),
              HasSubstr("one_thread"));
  EXPECT_THAT(with("\"log_error_90\":0.2", "\"log_error_90\":-1"),
              HasSubstr("load"));
  EXPECT_THAT(with("pointwise_mmacs", "sidewise_mmacs"), HasSubstr("terms"));
  EXPECT_FALSE(ReadModel(text.substr(0, text.size() / 2), "m.ewm"));
  EXPECT_FALSE(ReadModel("", "m.ewm"));
  EXPECT_FALSE(ReadModel("[]", "m.ewm"));
}

TEST(ModelFileTest, TheEightFieldsMayBeAbsurdlyLarge) {
  const auto fields = ReadCharacteristicsJson(
      R"({"model":"m","conv_layers":66666666,"pool_layers":7,"fc_layers":3,
          "filter_details":66,"total_parameters":10000000000000000000,
          "model_input_size":345343543,"model_output_size":1})",
      "body");
  ASSERT_TRUE(fields) << fields.error().message;
  EXPECT_EQ(fields->total_parameters, 1e19);
}

TEST(ModelFileTest, AMissingOrNegativeFieldIsNamed) {
  const auto missing = ReadCharacteristicsJson("{\"conv_layers\":1}", "body");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("pool_layers"));
  const auto negative = ReadCharacteristicsJson("{\"conv_layers\":-1}", "body");
  ASSERT_FALSE(negative);
  EXPECT_THAT(negative.error().message, HasSubstr("conv_layers"));
}

}  // namespace
}  // namespace edgewise
