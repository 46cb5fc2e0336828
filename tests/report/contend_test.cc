#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/contend_matrix.h"
#include "report/contend_text.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

SlowDown Slow(const std::string& actor, const std::string& beside,
              double ratio) {
  SlowDown slow_down{actor, {beside}, {}, {}, {}, {ratio}, {}};
  slow_down.p50 = {
      stats::Verdict::kSlower, ratio, ratio - 0.1, ratio + 0.1, "", ""};
  return slow_down;
}

ContendReport Report() {
  ContendReport report;
  report.mode = ContendMode::kPairwise;
  report.group = "0123456789ab";
  report.cores = 2;
  for (const char* name : {"image", "a<b"}) {
    ContendApp app;
    app.name = name;
    app.span = "frame";
    app.alone.p50_ns = stats::Estimate{10e6, 9e6, 11e6};
    report.apps.push_back(app);
  }
  report.slow_downs = {Slow("image", "cache:100", 2.5),
                       Slow("image", "a<b", 1.2), Slow("image", "cache:25", 1),
                       Slow("a<b", "image", 1.5)};
  report.slow_downs.back().failure = "image failed: code 7";
  return report;
}

TEST(ContendMatrixTest, AppsComeFirstThenStressorsByDial) {
  const ContendReport report = Report();
  const ContendMatrix matrix = MatrixOf(report);
  EXPECT_THAT(matrix.rows, ElementsAre("image", "a<b"));
  EXPECT_THAT(matrix.columns,
              ElementsAre("image", "a<b", "cache:25", "cache:100"));
  EXPECT_EQ(matrix.cells[0][0], nullptr);
  EXPECT_EQ(*matrix.cells[0][3]->p50.ratio, 2.5);
  EXPECT_EQ(*matrix.cells[1][0]->p50.ratio, 1.5);
}

TEST(ContendMatrixTest, HeatGrowsWithTheSlowDown) {
  EXPECT_EQ(HeatOf(0.9), 0);
  EXPECT_EQ(HeatOf(1.04), 0);
  EXPECT_EQ(HeatOf(1.1), 1);
  EXPECT_EQ(HeatOf(1.2), 2);
  EXPECT_EQ(HeatOf(1.5), 3);
  EXPECT_EQ(HeatOf(7), 4);
}

TEST(ContendTextTest, EveryFigureHasItsIntervalOrSaysThereIsNone) {
  const std::string text = ContendText(Report(), {false, true, 100});
  EXPECT_THAT(text, HasSubstr("10.0 (9.00–11.0)"));
  EXPECT_THAT(text, HasSubstr("2.50 (2.40–2.60)"));
  EXPECT_THAT(text, HasSubstr("2.50 █"));
  EXPECT_THAT(text, HasSubstr("a<b beside image: image failed: code 7"));
  // p95 was not measured.
  EXPECT_THAT(text, HasSubstr("--"));
}

TEST(ContendTextTest, AsciiHasOnlyAsciiShades) {
  const ContendReport report = Report();
  EXPECT_THAT(MatrixText(MatrixOf(report), {false, false, 100}),
              Not(HasSubstr("█")));
}

TEST(ContendTextTest, AMatrixThatIsTooWideIsTurned) {
  const ContendReport report = Report();
  EXPECT_THAT(MatrixText(MatrixOf(report), {false, true, 100}),
              HasSubstr("p50 ×, beside"));
  EXPECT_THAT(MatrixText(MatrixOf(report), {false, true, 40}),
              HasSubstr("beside, p50 × of"));
}

TEST(ContendTextTest, APageEscapesNamesAndHasTheMatrix) {
  const std::string page = ContendHtml(Report());
  EXPECT_THAT(page, HasSubstr("a&lt;b"));
  EXPECT_THAT(page, Not(HasSubstr("a<b")));
  EXPECT_THAT(page, HasSubstr("class=\"heat4\""));
  EXPECT_THAT(page, HasSubstr("image under pressure"));
}

TEST(ContendTextTest, UnknownIsNullInJson) {
  const std::string json = ContendJson(Report());
  EXPECT_THAT(json, HasSubstr("\"p95_slow_down\":{\"ratio\":null"));
  EXPECT_THAT(json, HasSubstr("\"check\":null"));
}

}  // namespace
}  // namespace edgewise
