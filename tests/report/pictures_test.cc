#include "report/pictures.h"

#include <gtest/gtest.h>

#include <limits>

#include "golden.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

TEST(SparklineTest, RisesFromZeroToTheLargestValue) {
  const std::vector<double> values{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(Sparkline(values, 20, {}), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(Sparkline(values, 20, {.unicode = false}), "_.-=+*%#");
}

TEST(SparklineTest, ManyValuesAreAveragedIntoTheWidth) {
  std::vector<double> values(1000, 0);
  std::fill(values.begin() + 500, values.end(), 10.0);
  EXPECT_EQ(Sparkline(values, 4, {}), "▁▁██");
}

TEST(SparklineTest, AConstantIsFlatAndFull) {
  EXPECT_EQ(Sparkline(std::vector<double>{5, 5, 5}, 9, {}), "███");
  EXPECT_EQ(Sparkline(std::vector<double>{0, 0}, 9, {}), "▁▁");
}

TEST(SparklineTest, WhatIsNotFiniteIsLeftOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Sparkline(std::vector<double>{0, nan, 7, inf}, 9, {}), "▁█");
  EXPECT_EQ(Sparkline(std::vector<double>{nan}, 9, {}), "");
  EXPECT_EQ(Sparkline({}, 9, {}), "");
}

TEST(BarChartTest, TheLargestBarFillsTheWidth) {
  const std::string chart = BarChart(
      {{"1–2 ms", 10}, {"2–4 ms", 1000}, {"4–8 ms", 0}}, {.width = 40});
  EXPECT_EQ(LongestLine(chart), 40);
  EXPECT_NE(chart.find("1–2 ms     10  ▎\n"), std::string::npos) << chart;
  EXPECT_NE(chart.find("4–8 ms      0\n"), std::string::npos) << chart;
}

TEST(BarChartTest, ARareCountStillHasAMark) {
  EXPECT_NE(BarChart({{"a", 1}, {"b", 1000000}}, {}).find("▏"),
            std::string::npos);
  EXPECT_NE(BarChart({{"a", 1}, {"b", 1000000}}, {.unicode = false}).find('.'),
            std::string::npos);
}

TEST(BarChartTest, NothingCountedIsNoPicture) {
  EXPECT_EQ(BarChart({{"a", 0}}, {}), "");
  EXPECT_EQ(BarChart({}, {}), "");
}

}  // namespace
}  // namespace edgewise
