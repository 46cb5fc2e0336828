#include "report/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace edgewise {
namespace {

using testing::DoubleEq;
using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

TEST(AxisTest, BeginsAtZeroWhereAsked) {
  const std::vector<double> values = {3, 9};
  EXPECT_EQ(AxisFor(values, true, false).low, 0);
  EXPECT_EQ(AxisFor(values, false, false).low, 3);
  const std::vector<double> negative = {-1, 9};
  EXPECT_EQ(AxisFor(negative, true, false).low, -1);
}

TEST(AxisTest, OneValueHasRoomAroundIt) {
  const std::vector<double> values = {5, 5};
  const Axis axis = AxisFor(values, false, false);
  EXPECT_LT(axis.low, 5);
  EXPECT_GT(axis.high, 5);
  const Axis logarithmic = AxisFor(values, false, true);
  EXPECT_GT(logarithmic.low, 0);
  EXPECT_LT(logarithmic.low, logarithmic.high);
}

TEST(AxisTest, WhatIsNotFiniteIsLeftOut) {
  const std::vector<double> values = {1, 2, std::nan(""),
                                      std::numeric_limits<double>::infinity()};
  const Axis axis = AxisFor(values, false, false);
  EXPECT_EQ(axis.low, 1);
  EXPECT_EQ(axis.high, 2);
}

TEST(AxisTest, NoValuesStillMakeAnAxis) {
  const Axis axis = AxisFor({}, true, true);
  EXPECT_LT(axis.low, axis.high);
}

TEST(AxisTest, LogarithmicOnlyWhereAllArePositive) {
  const std::vector<double> values = {0, 1000};
  EXPECT_FALSE(AxisFor(values, false, true).logarithmic);
}

TEST(AxisTest, PlacesGoFromZeroToOne) {
  const Axis linear{10, 30, false};
  EXPECT_EQ(PlaceOn(linear, 10), 0);
  EXPECT_EQ(PlaceOn(linear, 20), 0.5);
  EXPECT_EQ(PlaceOn(linear, 30), 1);
  const Axis logarithmic{1, 100, true};
  EXPECT_THAT(PlaceOn(logarithmic, 10), DoubleEq(0.5));
}

TEST(AxisTest, TicksAreRoundAndFew) {
  EXPECT_THAT(TicksOf({0, 100, false}, 6), ElementsAre(0, 20, 40, 60, 80, 100));
  EXPECT_THAT(TicksOf({12.3, 54.1, false}, 9),
              ElementsAre(15, 20, 25, 30, 35, 40, 45, 50));
  EXPECT_THAT(TicksOf({1, 1000, true}, 4), ElementsAre(1, 10, 100, 1000));
  EXPECT_THAT(TicksOf({1, 10, true}, 6), ElementsAre(1, 2, 5, 10));
}

TEST(AxisTest, ZeroHasNoSign) {
  for (const double tick : TicksOf({0, 7, false}, 6)) {
    EXPECT_FALSE(std::signbit(tick));
  }
}

TEST(AxisTest, NeverMoreTicksThanAsked) {
  for (const double high : {1e-9, 0.3, 7.0, 123.0, 9.9e12}) {
    for (size_t most = 2; most < 12; ++most) {
      EXPECT_LE(TicksOf({0, high, false}, most).size(), most);
      EXPECT_LE(TicksOf({high / 1e7, high, true}, most).size(), most);
    }
  }
}

}  // namespace
}  // namespace edgewise
