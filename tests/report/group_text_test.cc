#include "report/group_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "sample_analysis.h"
#include "sample_run.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Run> Repeats() {
  std::vector<Run> runs(5, SampleRun());
  for (size_t i = 0; i < runs.size(); ++i) {
    runs[i].group = "5e5e5e5e5e5e";
    runs[i].repeat_index = static_cast<int>(i);
  }
  runs[4].end_reason = EndReason::kExited;
  runs[4].exit_code = 3;
  return runs;
}

TEST(GroupTextTest, FitsTheTerminal) {
  for (const int width : {80, 120}) {
    const std::string text =
        GroupText(Repeats(), SampleGroup(), {.width = width});
    EXPECT_LE(LongestLine(text), width);
    ExpectGolden("group_" + std::to_string(width) + ".txt", text);
  }
}

TEST(GroupTextTest, CountsHowTheRunsEnded) {
  EXPECT_THAT(GroupText(Repeats(), SampleGroup(), {}),
              HasSubstr("ended: 4 ok · 1 exit 3\n"));
}

TEST(GroupTextTest, IntervalsThatWereCutOffAreTold) {
  GroupAnalysis group = SampleGroup();
  EXPECT_THAT(GroupText(Repeats(), group, {}), Not(HasSubstr("cut off")));
  group.figures.front().low = 0;
  EXPECT_THAT(GroupText(Repeats(), group, {}), HasSubstr("cut off"));
}

TEST(GroupTextTest, NoRunsIsNoText) { EXPECT_EQ(GroupText({}, {}, {}), ""); }

}  // namespace
}  // namespace edgewise
