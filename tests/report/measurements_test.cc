#include "report/measurements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class MeasurementsTest : public ::testing::Test {
 protected:
  MeasurementsTest() {
    model_.name = "net";
    model_.characteristics.conv_layers = 3;
    model_.characteristics.total_parameters = 1e19;
    model_.inspection.macs = 5e9;
    report_.precision = "fp32";
    report_.machine.cpu_model = "Cortex-A72";
    report_.machine.cores = 4;
    ModelMeasurement row;
    row.run_id = "0123456789ab";
    row.load_reached = true;
    const std::vector<double> times(100, 2e6);
    row.inference_ns = stats::Summarise(times);
    report_.rows = {row};
  }

  // Of one row, by title.
  std::string Field(std::string_view title, size_t row = 0) {
    const std::string csv = MeasurementsCsv(model_, report_, 37.25);
    const auto lines = Split(Trim(csv), '\n');
    const auto titles = Split(lines[0], ',');
    const auto fields = Split(lines[row + 1], ',');
    EXPECT_THAT(fields, SizeIs(titles.size()));
    const auto at = std::find(titles.begin(), titles.end(), title);
    EXPECT_NE(at, titles.end()) << title;
    return std::string(fields[static_cast<size_t>(at - titles.begin())]);
  }

  OnnxModel model_;
  MeasureModelReport report_;
};

TEST_F(MeasurementsTest, ARowHasTheFieldsOfTheModelAndTheMeasurement) {
  EXPECT_EQ(Field("model"), "net");
  EXPECT_EQ(Field("conv_layers"), "3");
  EXPECT_EQ(Field("total_parameters"), "10000000000000000000");
  EXPECT_EQ(Field("macs"), "5000000000");
  EXPECT_EQ(Field("disk_usage(percentage)"), "37.25");
  EXPECT_EQ(Field("device_type"), "Cortex-A72");
  EXPECT_EQ(Field("execution_time"), "0.002");
  EXPECT_EQ(Field("median_ms"), "2.000000");
  EXPECT_EQ(Field("samples"), "100");
  report_.machine.board = "Raspberry Pi 4 Model B Rev 1.4";
  EXPECT_EQ(Field("device_type"), "Raspberry Pi 4 Model B Rev 1.4");
}

TEST_F(MeasurementsTest, WhatIsNotKnownIsEmpty) {
  for (const char* title :
       {"cpu_usage(percentage)", "cpu_usage_during(percentage)",
        "model_output_size", "preprocess_median_ms", "peak_rss_bytes"}) {
    EXPECT_EQ(Field(title), "") << title;
  }
  model_.inspection.unknown_nodes = 1;
  EXPECT_EQ(Field("macs"), "");
}

TEST_F(MeasurementsTest, FailedRowsAreSaidButNotWritten) {
  report_.rows.insert(report_.rows.begin(), report_.rows[0]);
  report_.rows[0].failure = "it ended\x1b[2J";
  EXPECT_EQ(Field("run_id"), "0123456789ab");
  EXPECT_THAT(Split(Trim(MeasurementsCsv(model_, report_, {})), '\n'),
              SizeIs(2));
  const std::string text = MeasurementsText(model_, report_, {});
  EXPECT_THAT(text, HasSubstr("it ended"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b[2J")));
}

TEST_F(MeasurementsTest, ABusyMachineIsSaid) {
  EXPECT_THAT(MeasurementsText(model_, report_, {}),
              Not(HasSubstr("other programs")));
  report_.rows[0].cpu_before_percent = 60;
  EXPECT_THAT(MeasurementsText(model_, report_, {}),
              HasSubstr("other programs"));
  report_.rows[0].load_asked_percent = 55;
  EXPECT_THAT(MeasurementsText(model_, report_, {}),
              Not(HasSubstr("other programs")));
}

}  // namespace
}  // namespace edgewise
