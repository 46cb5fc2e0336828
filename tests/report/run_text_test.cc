#include "report/run_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "golden.h"
#include "sample_analysis.h"
#include "sample_run.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RunTextTest, FitsTheTerminalAndOneScreen) {
  for (const int width : {80, 120}) {
    const std::string text =
        RunText(SampleRun(), SampleAnalysis(), {.width = width});
    EXPECT_LE(LongestLine(text), width);
    ExpectGolden("run_" + std::to_string(width) + ".txt", text);
  }
}

TEST(RunTextTest, AnOrdinaryRunTakesOneScreen) {
  edgewise::Run run = SampleRun();
  run.conditions = {};
  run.note.clear();
  run.warnings.clear();
  run.unavailable.pop_back();
  RunAnalysis analysis = SampleAnalysis();
  analysis.spans.resize(1);
  analysis.warnings.clear();
  const std::string text = RunText(run, analysis, {.width = 100});
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 45) << text;
}

TEST(RunTextTest, WhatIsNotKnownIsNeverZero) {
  const std::string text = RunText(BareRun(), {}, {});
  EXPECT_THAT(text, HasSubstr("wall      --\n"));
  EXPECT_THAT(text, Not(HasSubstr(" 0 ")));
  EXPECT_THAT(text, HasSubstr("everything: the program ended before"));
  ExpectGolden("run_bare.txt", text);
}

TEST(RunTextTest, AsciiTerminalsGetAsciiOfTheSameShape) {
  const RunAnalysis analysis = SampleAnalysis();
  const std::string text =
      RunText(SampleRun(), analysis, {.unicode = false, .width = 80});
  for (const char c : text) {
    ASSERT_EQ(static_cast<unsigned char>(c) & 0x80U, 0U) << text;
  }
  EXPECT_LE(LongestLine(text), 80);
  ExpectGolden("run_ascii.txt", text);
}

TEST(RunTextTest, ColourOnlyAddsColour) {
  std::string text =
      RunText(SampleRun(), SampleAnalysis(), {.color = true, .width = 80});
  EXPECT_THAT(text, HasSubstr("\x1b[32mstopped as planned"));
  for (size_t at; (at = text.find('\x1b')) != std::string::npos;) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  EXPECT_EQ(text, RunText(SampleRun(), SampleAnalysis(), {.width = 80}));
}

TEST(RunTextTest, HostileNamesCannotReachTheTerminal) {
  edgewise::Run run = SampleRun();
  RunAnalysis analysis = SampleAnalysis();
  const std::string evil = "\x1b]0;owned\x07\n\xff";
  run.label = run.note = evil;
  run.command = {evil};
  run.threads[0].name = evil;
  run.output_tail = evil;
  run.end_reason = EndReason::kSignal;
  run.unavailable = {{evil, evil}};
  run.warnings = {evil};
  run.counters = {{evil, 1, 1}};
  analysis.spans[0].name = evil;
  const std::string text = RunText(run, analysis, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

TEST(RunTextTest, AFailedProgramHasTheLastWord) {
  edgewise::Run run = BareRun();
  run.output_tail = "one\ntwo\nthree\nfour\nfive\n";
  const std::string text = RunText(run, {}, {});
  EXPECT_THAT(text, HasSubstr("  two\n  three\n  four\n  five\n"));
  EXPECT_THAT(text, Not(HasSubstr("one\n")));
}

TEST(RunTextTest, ReasonsAreGivenOnce) {
  edgewise::Run run = BareRun();
  run.unavailable = {{"cycles", "no counters in this VM"},
                     {"instructions", "no counters in this VM"},
                     {"cycles", "no counters in this VM"}};
  EXPECT_THAT(RunText(run, {}, {}),
              HasSubstr("  cycles, instructions: no counters in this VM\n"));
}

TEST(RunTextTest, ManySpansAreCutAndSaidToBe) {
  RunAnalysis analysis = SampleAnalysis();
  analysis.spans.assign(15, analysis.spans[1]);
  EXPECT_THAT(RunText(SampleRun(), analysis, {}),
              HasSubstr("and 3 more spans: see --json\n"));
}

TEST(RunTextTest, ClockEventsAreTimes) {
  edgewise::Run run = SampleRun();
  run.counters = {{"task-clock", 1.5e9, 1}, {"page-faults", 1500, 1}};
  EXPECT_THAT(RunText(run, {}, {}),
              HasSubstr("1.5 s task-clock · 1.50 k page-faults"));
}

}  // namespace
}  // namespace edgewise
