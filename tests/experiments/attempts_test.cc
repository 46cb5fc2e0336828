#include "experiments/attempts.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

MeasuredRun Made(const std::string& id, double severity) {
  MeasuredRun measured;
  measured.run.id = id;
  measured.run.group_role = "a=1";
  measured.run.state = RunState::kDone;
  measured.run.end_reason = EndReason::kExited;
  measured.run.exit_code = 0;
  measured.disturbance.severity = severity;
  return measured;
}

TEST(AttemptsTest, TheFirstUndisturbedCounts) {
  AttemptTable table;
  table.Add(Made("disturbed", 3));
  table.Add(Made("quiet", 0.5));
  table.Add(Made("quieter", 0.1));
  const Attempts* made = table.Find({"a=1", 0});
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->best.run.id, "quiet");
  EXPECT_EQ(made->count, 3);
}

TEST(AttemptsTest, ElseTheLeastDisturbed) {
  AttemptTable table;
  table.Add(Made("very", 9));
  table.Add(Made("less", 2));
  table.Add(Made("more", 4));
  EXPECT_EQ(table.Find({"a=1", 0})->best.run.id, "less");
}

TEST(AttemptsTest, RunsThatWereCutOffDoNotCount) {
  AttemptTable table;
  MeasuredRun interrupted = Made("interrupted", 0);
  interrupted.run.state = RunState::kInterrupted;
  table.Add(interrupted);
  MeasuredRun cancelled = Made("cancelled", 0);
  cancelled.run.end_reason = EndReason::kCancelled;
  table.Add(cancelled);
  EXPECT_EQ(table.Find({"a=1", 0}), nullptr);
}

TEST(AttemptsTest, RepeatsAreApart) {
  AttemptTable table;
  table.Add(Made("first", 0));
  MeasuredRun second = Made("second", 0);
  second.run.repeat_index = 1;
  table.Add(second);
  EXPECT_EQ(table.Find({"a=1", 0})->best.run.id, "first");
  EXPECT_EQ(table.Find({"a=1", 1})->best.run.id, "second");
}

}  // namespace
}  // namespace edgewise
