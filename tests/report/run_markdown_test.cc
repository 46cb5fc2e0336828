#include "report/run_markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "sample_analysis.h"
#include "sample_run.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RunMarkdownTest, LooksAsReviewed) {
  ExpectGolden("run.md", RunMarkdown(SampleRun(), SampleAnalysis()));
}

TEST(RunMarkdownTest, EmptySectionsAreLeftOut) {
  const std::string text = RunMarkdown(BareRun(), {});
  EXPECT_THAT(text, Not(HasSubstr("### Spans")));
  EXPECT_THAT(text, Not(HasSubstr("### Threads")));
  EXPECT_THAT(text, HasSubstr("| wall | -- |"));
}

TEST(RunMarkdownTest, NamesCannotBreakTheDocument) {
  edgewise::Run run = SampleRun();
  run.command = {"echo", "```"};
  run.label = "<b>|*x*";
  const std::string text = RunMarkdown(run, {});
  EXPECT_THAT(text, HasSubstr("\n````sh\necho '```'\n````\n"));
  EXPECT_THAT(text, HasSubstr(": \\<b\\>\\|\\*x\\*\n"));
}

}  // namespace
}  // namespace edgewise
