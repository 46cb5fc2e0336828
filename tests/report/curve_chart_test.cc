#include "report/curve_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace edgewise {
namespace {

using testing::HasSubstr;
using testing::Not;

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

CurveChart Throughput() {
  CurveChart chart;
  chart.title = "throughput over cores";
  chart.x_name = "cores";
  chart.y_name = "throughput";
  chart.y_unit = "fps";
  chart.series = {{"image",
                   {{.x = 1, .y = 10, .low = 9, .high = 11},
                    {.x = 2, .y = 19},
                    {.x = 4, .y = 30}},
                   {},
                   true}};
  return chart;
}

TEST(CurveChartTest, NamesUnitsAndLegendAreThere) {
  const std::string svg = DrawCurves(Throughput());
  EXPECT_THAT(svg, HasSubstr(">throughput (fps)<"));
  EXPECT_THAT(svg, HasSubstr(">cores<"));
  EXPECT_THAT(svg, HasSubstr(">image<"));
  EXPECT_THAT(svg, HasSubstr("<title>image, 1.00 cores: 10.0 fps (9.00 to "
                             "11.0)</title>"));
}

TEST(CurveChartTest, FewWholeNumbersHaveATickEach) {
  CurveChart chart = Throughput();
  chart.series.push_back({"law", {}, {{1, 10}, {2.5, 20}, {4, 31}}, true});
  const std::string svg = DrawCurves(chart);
  for (const char* tick : {">1<", ">2<", ">4<"}) {
    EXPECT_THAT(svg, HasSubstr(tick));
  }
  EXPECT_THAT(svg, Not(HasSubstr(">3<")));
}

TEST(CurveChartTest, AnIntervalHasABarWithTwoEnds) {
  CurveChart chart = Throughput();
  const size_t with = Count(DrawCurves(chart), "<line ");
  chart.series[0].points[0].low.reset();
  EXPECT_EQ(Count(DrawCurves(chart), "<line "), with - 2);
}

TEST(CurveChartTest, AFittedLawIsDashedAndReplacesTheJoiningLine) {
  CurveChart chart = Throughput();
  EXPECT_EQ(Count(DrawCurves(chart), "<path "), 1u);
  chart.series[0].line = {{1, 10}, {4, 31}};
  const std::string svg = DrawCurves(chart);
  EXPECT_EQ(Count(svg, "<path "), 1u);
  EXPECT_THAT(svg, HasSubstr("none dashed line0\"/>"));
}

TEST(CurveChartTest, WordsStandWhereNumbersWould) {
  CurveChart chart = Throughput();
  chart.labels = {"fp32", "int8"};
  chart.series = {{"cpu 0", {{.x = 0, .y = 5}, {.x = 1, .y = 9}}, {}, true},
                  {"cpu 1", {{.x = 0, .y = 6}, {.x = 1, .y = 8}}, {}, true}};
  const std::string svg = DrawCurves(chart);
  EXPECT_THAT(svg, HasSubstr(">fp32<"));
  EXPECT_THAT(svg, HasSubstr(">int8<"));
  EXPECT_THAT(svg, HasSubstr("<title>cpu 1, int8: 8.00 fps</title>"));
  EXPECT_EQ(Count(svg, "<path "), 0u);
  // Two series at one word are apart.
  std::smatch first;
  std::smatch second;
  const std::regex dot0("<rect x=\"([0-9.]+)\"[^>]*\"dot0\"/>\n</g>");
  const std::regex dot1("<rect x=\"([0-9.]+)\"[^>]*\"dot1\"/>\n</g>");
  ASSERT_TRUE(std::regex_search(svg, first, dot0));
  ASSERT_TRUE(std::regex_search(svg, second, dot1));
  EXPECT_LT(std::stod(first[1]) + 6, std::stod(second[1]));
}

TEST(CurveChartTest, ManySeriesTakeMoreRowsOfLegend) {
  CurveChart chart = Throughput();
  const auto height = [](const std::string& svg) {
    const size_t at = svg.find("height=\"") + 8;
    return std::stod(svg.substr(at));
  };
  const double one = height(DrawCurves(chart));
  for (int i = 0; i < 12; ++i) {
    chart.series.push_back(
        {"a series with a long name " + std::to_string(i), {}, {}, true});
  }
  EXPECT_GT(height(DrawCurves(chart)), one + 60);
}

TEST(CurveChartTest, WhatIsNotFiniteIsLeftOut) {
  CurveChart chart = Throughput();
  chart.series[0].points.push_back({.x = 8, .y = NAN});
  chart.series[0].points.push_back({.x = INFINITY, .y = 4});
  const std::string svg = DrawCurves(chart);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_EQ(Count(svg, "<g>"), 3u);
}

TEST(CurveChartTest, NothingMeasuredIsStillAPicture) {
  CurveChart chart;
  chart.title = "empty";
  EXPECT_THAT(DrawCurves(chart), HasSubstr("</svg>"));
}

TEST(CurveChartTest, NamesCannotBecomeMarkup) {
  CurveChart chart = Throughput();
  chart.title = chart.note = chart.x_name = chart.y_name = chart.y_unit =
      chart.series[0].name = chart.series[0].points[0].tooltip = "<script>";
  EXPECT_THAT(DrawCurves(chart), Not(HasSubstr("<script>")));
  chart.labels = {"<script>", "b"};
  EXPECT_THAT(DrawCurves(chart), Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace edgewise
