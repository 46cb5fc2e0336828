#include "report/figures.h"

#include <gtest/gtest.h>

#include <limits>

namespace edgewise {
namespace {

TEST(FiguresTest, ThreeSignificantDigitsWithTrailingZeros) {
  EXPECT_EQ(Figure(24), "24.0");
  EXPECT_EQ(Figure(1.7), "1.70");
  EXPECT_EQ(Figure(0.03124), "0.0312");
  EXPECT_EQ(Figure(1234.4), "1,234");
  EXPECT_EQ(Figure(-24), "-24.0");
  EXPECT_EQ(Figure(0), "0");
}

TEST(FiguresTest, RoundingCarriesIntoTheNextPower) {
  EXPECT_EQ(Figure(9.996), "10.0");
  EXPECT_EQ(Figure(99.96), "100");
  EXPECT_EQ(Figure(999.6), "1,000");
  EXPECT_EQ(Figure(9.994), "9.99");
}

TEST(FiguresTest, ExtremesStayShort) {
  EXPECT_EQ(Figure(1e-9), "1.00e-09");
  EXPECT_EQ(Figure(1e300), "1.00e+300");
}

TEST(FiguresTest, UnknownIsNeverZero) {
  EXPECT_EQ(SecondsText(std::nullopt), "--");
  EXPECT_EQ(BytesText(std::nullopt), "--");
  EXPECT_EQ(CountText(std::nullopt), "--");
  EXPECT_EQ(PercentText(std::nullopt), "--");
  EXPECT_EQ(ScaledText(std::nullopt), "--");
  EXPECT_EQ(Figure(std::numeric_limits<double>::quiet_NaN()), "--");
}

TEST(FiguresTest, ZeroIsZero) {
  EXPECT_EQ(SecondsText(0.0), "0 s");
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(CountText(0), "0");
  EXPECT_EQ(PercentText(0.0), "0%");
  EXPECT_EQ(ScaledText(0.0), "0");
}

TEST(FiguresTest, CountersHaveDecimalMultiples) {
  EXPECT_EQ(ScaledText(1.234e9), "1.23 G");
  EXPECT_EQ(ScaledText(999.0), "999");
  EXPECT_EQ(ScaledText(999600.0), "1.00 M");
}

TEST(FiguresTest, ARowOfDurationsHasOneUnit) {
  EXPECT_EQ(UnitFor(500).name, "ns");
  EXPECT_EQ(UnitFor(24e3).name, "µs");
  EXPECT_EQ(UnitFor(24e6).name, "ms");
  EXPECT_EQ(UnitFor(24e9).name, "s");
}

TEST(FiguresTest, SignalsHaveNames) {
  EXPECT_EQ(SignalName(11), "SIGSEGV");
  EXPECT_EQ(SignalName(40), "signal 40");
}

}  // namespace
}  // namespace edgewise
