#include "report/outcome.h"

#include <gtest/gtest.h>

#include "sample_run.h"

namespace edgewise {
namespace {

Run Ended(EndReason reason) {
  edgewise::Run run;
  run.state = RunState::kDone;
  run.end_reason = reason;
  return run;
}

TEST(OutcomeTest, ExitCodesAreToldApart) {
  edgewise::Run run = Ended(EndReason::kExited);
  run.exit_code = 0;
  EXPECT_EQ(OutcomeOf(run).word, "ok");
  run.exit_code = 3;
  EXPECT_EQ(OutcomeOf(run).sentence, "exited with code 3");
  EXPECT_EQ(OutcomeOf(run).tone, Tone::kBad);
  run.exit_code.reset();
  EXPECT_EQ(OutcomeOf(run).sentence, "exited; its code is not known");
}

TEST(OutcomeTest, SignalsAreNamed) {
  edgewise::Run run = Ended(EndReason::kSignal);
  run.signal = 11;
  EXPECT_EQ(OutcomeOf(run).sentence, "killed by SIGSEGV (signal 11)");
}

TEST(OutcomeTest, PlannedAndUnplannedEndsDiffer) {
  edgewise::Run run = Ended(EndReason::kDuration);
  run.conditions.duration_ns = 30'000'000'000;
  EXPECT_EQ(OutcomeOf(run).sentence,
            "stopped as planned, at the --duration of 30 s");
  EXPECT_EQ(OutcomeOf(run).tone, Tone::kGood);
  run = Ended(EndReason::kTimeout);
  run.conditions.timeout_ns = 5'000'000'000;
  EXPECT_EQ(OutcomeOf(run).sentence,
            "stopped: it ran past the --timeout of 5 s");
  EXPECT_EQ(OutcomeOf(run).tone, Tone::kBad);
}

TEST(OutcomeTest, MemoryLimitIsNamed) {
  edgewise::Run run = Ended(EndReason::kOutOfMemory);
  run.conditions.memory_limit_bytes = 64 << 20;
  EXPECT_EQ(OutcomeOf(run).sentence,
            "killed: it ran over its memory limit of 64 MiB");
}

TEST(OutcomeTest, InterruptedRunsSayThatTheyAre) {
  edgewise::Run run;
  run.state = RunState::kInterrupted;
  EXPECT_EQ(OutcomeOf(run).word, "interrupted");
  run.state = RunState::kRunning;
  EXPECT_EQ(OutcomeOf(run).word, "running");
}

TEST(OutcomeTest, EveryReasonHasWords) {
  for (const EndReason reason :
       {EndReason::kExited, EndReason::kSignal, EndReason::kDuration,
        EndReason::kTimeout, EndReason::kCancelled, EndReason::kOutOfMemory,
        EndReason::kDetached, EndReason::kFailed}) {
    EXPECT_FALSE(OutcomeOf(Ended(reason)).sentence.empty());
    EXPECT_NE(OutcomeOf(Ended(reason)).word, "--");
  }
}

TEST(OutcomeTest, CommandsAreQuotedAndHarmless) {
  edgewise::Run run;
  run.command = {"echo", "two words", "\x1b[2J"};
  EXPECT_EQ(CommandText(run), "echo 'two words' '\uFFFD[2J'");
}

TEST(OutcomeTest, ConditionsNameOnlyWhatWasAskedFor) {
  EXPECT_EQ(ConditionsText({}), "");
  EXPECT_EQ(ConditionsText(SampleRun().conditions), "CPUs 0-1 · 2 threads");
  Conditions slow;
  slow.frequency_khz = 600'000;
  EXPECT_EQ(ConditionsText(slow), "600 MHz");
}

TEST(OutcomeTest, AnUnknownMachineHasNoText) {
  EXPECT_EQ(MachineText({}), "");
  EXPECT_EQ(MachineText(SampleRun().machine),
            "node-7 · 4 × Cortex-A76 · Linux 6.1.0 · governor ondemand");
}

}  // namespace
}  // namespace edgewise
