#include "report/compare_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "sample_analysis.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CompareTextTest, FitsTheTerminal) {
  for (const int width : {80, 120}) {
    const std::string text = CompareText(SampleComparison(), {.width = width});
    EXPECT_LE(LongestLine(text), width);
    ExpectGolden("compare_" + std::to_string(width) + ".txt", text);
  }
}

TEST(CompareTextTest, VerdictsAreColouredWhereTheyDecide) {
  const std::string text = CompareText(SampleComparison(), {.color = true});
  EXPECT_THAT(text, HasSubstr("\x1b[32mfaster\x1b[0m"));
  EXPECT_THAT(text, HasSubstr("\x1b[31mlarger\x1b[0m"));
}

TEST(CompareTextTest, FiguresThatNeitherSideHasAreLeftOut) {
  EXPECT_THAT(CompareText(SampleComparison(), {}), Not(HasSubstr("energy")));
}

TEST(CompareTextTest, FiguresThatAreZeroOnBothSidesAreLeftOut) {
  RunComparison comparison = SampleComparison();
  comparison.totals[3].a = 0;
  comparison.totals[3].b = 0;
  EXPECT_THAT(CompareText(comparison, {}), Not(HasSubstr("energy")));
  comparison.totals[3].b = 1;
  EXPECT_THAT(CompareText(comparison, {}), HasSubstr("energy"));
}

TEST(CompareTextTest, GeometricMeansAreCalledSo) {
  RunComparison comparison = SampleComparison();
  EXPECT_THAT(CompareText(comparison, {}), HasSubstr("geometric means"));
  comparison.a.resize(1);
  comparison.b.resize(1);
  EXPECT_THAT(CompareText(comparison, {}), Not(HasSubstr("geometric means")));
}

TEST(CompareTextTest, MissingVerdictsSayWhyOnce) {
  RunComparison comparison = SampleComparison();
  comparison.totals.resize(2);
  for (TotalComparison& total : comparison.totals) {
    total.ratio = {
        stats::Verdict::kInsufficient, 0.9, std::nullopt, std::nullopt, "",
        "five Runs a side are needed"};
  }
  const std::string text = CompareText(comparison, {});
  EXPECT_THAT(text, HasSubstr("0.900            --  insufficient samples"));
  const size_t first = text.find("five Runs a side");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("five Runs a side", first + 1), std::string::npos);
}

TEST(CompareTextTest, AnEmptyComparisonIsHarmless) {
  EXPECT_EQ(CompareText({}, {}), "");
}

}  // namespace
}  // namespace edgewise
