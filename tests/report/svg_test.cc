#include "report/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/run_charts.h"
#include "report/svg_chart.h"
#include "report/svg_flame.h"
#include "sample_analysis.h"
#include "sample_run.h"

namespace edgewise {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(SvgTest, TextOfAnyOriginIsFitForXml) {
  EXPECT_EQ(XmlText("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(XmlText(std::string_view("\x01\0\n", 3)), "\uFFFD\uFFFD ");
  EXPECT_EQ(XmlText("\xff"), "\uFFFD");
  EXPECT_EQ(XmlText("\xef\xbf\xbf"), "\uFFFD");  // U+FFFF
}

TEST(SvgTest, NamesCannotBecomeMarkup) {
  SvgPicture picture(100, 50, "</title><script>");
  picture.Text(1, 2, Anchor::kStart, "<script>", "ink");
  picture.BeginGroup("<script>");
  picture.EndGroup();
  EXPECT_THAT(picture.text(), Not(HasSubstr("<script>")));
}

TEST(SvgTest, ChartHasItsUnitsAndOneMarkForEachPoint) {
  SvgChart chart;
  chart.title = "latency";
  chart.x_unit = "ms";
  chart.y_unit = "count";
  chart.x = {0, 10, false};
  chart.y = {0, 10, false};
  chart.lines = {{"A", {{0, 0}, {5, 10}, {10, 0}}, false}};
  const std::string svg = DrawChart(chart);
  EXPECT_THAT(svg, HasSubstr(">ms<"));
  EXPECT_THAT(svg, HasSubstr(">count<"));
  // Left bottom, middle top, right bottom of the area within the axes.
  EXPECT_THAT(svg, HasSubstr("d=\"M66 292L403 56L740 292\""));
}

stacks::StackProfile TwoFunctions() {
  stacks::ProfileBuilder builder;
  const int32_t thread = builder.AddThread({1, 1, "app", "app"});
  stacks::Frame main;
  main.function = "main";
  stacks::Frame spin = main;
  spin.function = "spin<int>";
  spin.kind = stacks::FrameKind::kPython;
  const int32_t outer = builder.AddFrame(main);
  const int32_t inner = builder.AddFrame(spin);
  builder.Add(thread, std::vector<int32_t>{outer, inner}, 30);
  builder.Add(thread, std::vector<int32_t>{outer}, 70);
  return builder.Take();
}

TEST(SvgTest, FlameIsAsWideAsItsShare) {
  const std::string svg = FlameSvg(MakeFlameTree(TwoFunctions()), "app");
  EXPECT_THAT(svg, HasSubstr("spin&lt;int&gt; (30.00%, 30)"));
  // 30% of the 1180 pixels within the margins, less the gap.
  EXPECT_THAT(svg, HasSubstr("width=\"353.4\" height=\"17\" class=\"kind2\""));
  EXPECT_THAT(svg, HasSubstr("width=\"1179.4\" height=\"17\" class=\"kind0\""));
}

TEST(RunChartsTest, OneForEachThingThatHasData) {
  const edgewise::Run run = SampleRun();
  const RunAnalysis analysis = SampleAnalysis();
  const stacks::StackProfile stacks = TwoFunctions();
  const auto charts = ChartsOf(run, analysis, &stacks);
  EXPECT_THAT(charts, Contains(Field(&RunChart::name, "flame")));
  for (const RunChart& chart : charts) {
    EXPECT_THAT(chart.draw(), HasSubstr("</svg>")) << chart.name;
  }
  EXPECT_THAT(ChartsOf(run, analysis, nullptr),
              Not(Contains(Field(&RunChart::name, "flame"))));
  EXPECT_THAT(ChartsOf(run, RunAnalysis(), nullptr), IsEmpty());
}

TEST(RunChartsTest, NamesAreFileNamesAndDiffer) {
  RunAnalysis analysis;
  for (const char* name : {"../../etc/passwd", "a b", "a/b"}) {
    SeriesAnalysis series;
    series.name = name;
    series.trend = {{0, 1}, {1, 2}};
    analysis.series.push_back(series);
  }
  const edgewise::Run run = SampleRun();
  const auto charts = ChartsOf(run, analysis, nullptr);
  ASSERT_EQ(charts.size(), 3U);
  EXPECT_EQ(charts[0].name, "series-.._.._etc_passwd");
  EXPECT_EQ(charts[1].name, "series-a_b");
  EXPECT_EQ(charts[2].name, "series-a_b-2");
}

}  // namespace
}  // namespace edgewise
