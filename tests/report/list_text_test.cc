#include "report/list_text.h"

#include <gtest/gtest.h>

#include "golden.h"
#include "sample_run.h"

namespace edgewise {
namespace {

std::vector<Run> SomeRuns() {
  Run repeated = SampleRun();
  repeated.id = "77aa77aa77aa";
  repeated.group = "a1b2c3d4e5f6";
  repeated.group_role = "b";
  repeated.repeat_index = 2;
  repeated.end_reason = EndReason::kSignal;
  repeated.signal = 11;
  Run interrupted = BareRun();
  interrupted.id = "123456789abc";
  interrupted.state = RunState::kInterrupted;
  interrupted.end_reason.reset();
  interrupted.label = "漢字";
  return {SampleRun(), repeated, interrupted, BareRun()};
}

TEST(ListTextTest, FitsTheTerminal) {
  for (const int width : {80, 120}) {
    const std::string text = ListText(SomeRuns(), {.width = width});
    EXPECT_LE(LongestLine(text), width);
    ExpectGolden("list_" + std::to_string(width) + ".txt", text);
  }
}

TEST(ListTextTest, AnEmptyListSaysWhatToDo) {
  EXPECT_EQ(ListText({}, {}),
            "No runs here yet; make one with: edgewise run -- COMMAND\n");
}

}  // namespace
}  // namespace edgewise
