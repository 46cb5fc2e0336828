#include "report/stress_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::HasSubstr;

StressOutcome Missed() {
  StressOutcome outcome;
  outcome.applied = false;
  outcome.reason = "others were first";
  outcome.figures = {{"copied", "bytes/s", 2048.0, 1024.0},
                     {"lines touched", "1/s", std::nullopt, 2.5e6}};
  return outcome;
}

TEST(StressTextTest, SaysWhatWasAppliedAgainstWhatWasAsked) {
  EXPECT_EQ(StressText({StressKind::kBandwidth, 50}, Missed(), {}),
            "bandwidth:50  not reached\n"
            "  others were first\n"
            "                  applied    asked\n"
            "  copied          1 KiB/s  2 KiB/s\n"
            "  lines touched  2.50 M/s\n");
}

TEST(StressTextTest, WhatWasNotAskedForIsNullInJson) {
  const std::string json = StressJson({StressKind::kCache, 12.5}, Missed());
  EXPECT_THAT(json, HasSubstr("\"stressor\":\"cache\",\"dial_percent\":12.5"));
  EXPECT_THAT(json, HasSubstr("\"applied\":false"));
  EXPECT_THAT(json, HasSubstr("\"asked\":null,\"applied\":2.5e+06"));
}

}  // namespace
}  // namespace edgewise
