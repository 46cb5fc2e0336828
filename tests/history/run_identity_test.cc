#include "history/run_identity.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(RunIdentityTest, DetailsNameAppVersionAndTarget) {
  edgewise::Run run;
  run.label = "other:9";
  run.details = {{"app", "counter"}, {"version", "1.2"}, {"target", "day"}};
  const RunIdentity identity = IdentityOf(run);
  EXPECT_EQ(identity.app, "counter");
  EXPECT_EQ(identity.version, "1.2");
  EXPECT_EQ(identity.target, "day");
}

TEST(RunIdentityTest, LabelMayCarryTheVersion) {
  edgewise::Run run;
  run.label = "counter:1.2";
  EXPECT_EQ(IdentityOf(run).app, "counter");
  EXPECT_EQ(IdentityOf(run).version, "1.2");
  run.label = "counter";
  EXPECT_EQ(IdentityOf(run).app, "counter");
  EXPECT_EQ(IdentityOf(run).version, "");
  run.label = "odd:";
  EXPECT_EQ(IdentityOf(run).app, "odd:");
}

TEST(RunIdentityTest, ProgramNamesWhatHasNoLabel) {
  edgewise::Run run;
  run.command = {"/opt/bin/camera", "--fast"};
  EXPECT_EQ(IdentityOf(run).app, "camera");
}

TEST(RunIdentityTest, ComparisonsAreNotVariedButExperimentsAre) {
  edgewise::Run run;
  EXPECT_FALSE(WasVaried(run));
  run.group_role = "a";
  EXPECT_FALSE(WasVaried(run));
  run.group_role = "threads=2";
  EXPECT_TRUE(WasVaried(run));
  run.group_role = "";
  run.experiment = "sweep seed=1";
  EXPECT_TRUE(WasVaried(run));
}

TEST(RunIdentityTest, OnlyPlannedEndsWentWell) {
  edgewise::Run run;
  run.state = RunState::kDone;
  run.end_reason = EndReason::kExited;
  run.exit_code = 0;
  EXPECT_TRUE(WentWell(run));
  run.exit_code = 3;
  EXPECT_FALSE(WentWell(run));
  run.end_reason = EndReason::kDuration;
  EXPECT_TRUE(WentWell(run));
  run.end_reason = EndReason::kOutOfMemory;
  EXPECT_FALSE(WentWell(run));
  run.end_reason = EndReason::kDuration;
  run.state = RunState::kInterrupted;
  EXPECT_FALSE(WentWell(run));
}

}  // namespace
}  // namespace edgewise
