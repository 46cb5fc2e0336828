#include "base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(UnitsTest, DurationsHaveUnits) {
  EXPECT_EQ(*ParseDurationNs("30s"), 30'000'000'000);
  EXPECT_EQ(*ParseDurationNs("100ms"), 100'000'000);
  EXPECT_EQ(*ParseDurationNs("1.5m"), 90'000'000'000);
  EXPECT_EQ(*ParseDurationNs("250us"), 250'000);
  EXPECT_EQ(*ParseDurationNs("2"), 2'000'000'000);
  EXPECT_EQ(*ParseDurationNs("30d"), 30 * 86400 * int64_t{1'000'000'000});
}

TEST(UnitsTest, BadDurationsSayWhatToWrite) {
  for (const char* text : {"", "abc", "-5s", "0s", "10 parsecs", "1e300h", "s",
                           "nan", "inf", "5s5", "1..5s"}) {
    const auto duration = ParseDurationNs(text);
    ASSERT_FALSE(duration.ok()) << text;
    EXPECT_THAT(duration.error().message, HasSubstr("write"));
  }
}

TEST(UnitsTest, SizesKnowBinaryAndDecimalUnits) {
  EXPECT_EQ(*ParseBytes("64KiB"), 65536);
  EXPECT_EQ(*ParseBytes("210Mi"), 210 * 1048576);
  EXPECT_EQ(*ParseBytes("1MB"), 1'000'000);
  EXPECT_EQ(*ParseBytes("512"), 512);
  EXPECT_FALSE(ParseBytes("0").ok());
  EXPECT_FALSE(ParseBytes("12 apples").ok());
}

TEST(UnitsTest, CpuListsRoundTrip) {
  EXPECT_THAT(*ParseCpuList("0,2-3"), ElementsAre(0, 2, 3));
  EXPECT_THAT(*ParseCpuList("3,1,1"), ElementsAre(1, 3));
  EXPECT_EQ(FormatCpuList({0, 1, 3}), "0-1,3");
  for (const char* text :
       {"", "a", "3-1", "-1", "1-", "0-99999999999", "1,,2"}) {
    EXPECT_FALSE(ParseCpuList(text).ok()) << text;
  }
}

TEST(UnitsTest, QuotasAreCores) {
  EXPECT_DOUBLE_EQ(*ParseCpuQuota("0.5"), 0.5);
  EXPECT_DOUBLE_EQ(*ParseCpuQuota("50%"), 0.5);
  EXPECT_DOUBLE_EQ(*ParseCpuQuota("350m"), 0.35);
  EXPECT_FALSE(ParseCpuQuota("0").ok());
  EXPECT_FALSE(ParseCpuQuota("half").ok());
}

TEST(UnitsTest, ClocksHaveUnits) {
  EXPECT_EQ(*ParseFrequencyKhz("600MHz"), 600'000);
  EXPECT_EQ(*ParseFrequencyKhz("1.2GHz"), 1'200'000);
  EXPECT_EQ(*ParseFrequencyKhz(" 1.5 ghz "), 1'500'000);
  EXPECT_EQ(*ParseFrequencyKhz("816000kHz"), 816'000);
  for (const char* text : {"", "1200000", "600", "GHz", "0MHz", "-1GHz", "1.2",
                           "5Hz", "1e9GHz", "nanGHz", "1.2.3GHz"}) {
    const auto khz = ParseFrequencyKhz(text);
    ASSERT_FALSE(khz.ok()) << text;
    EXPECT_THAT(khz.error().message, HasSubstr("600MHz or 1.2GHz"));
  }
}

TEST(UnitsTest, NumbersReadWell) {
  EXPECT_EQ(FormatDuration(1.234e6), "1.23 ms");
  EXPECT_EQ(FormatDuration(125e9), "2 min 5 s");
  EXPECT_EQ(FormatDuration(999.9e3), "1 ms");
  EXPECT_EQ(FormatBytes(12.34 * 1048576), "12.3 MiB");
  EXPECT_EQ(FormatFrequency(600e3), "600 MHz");
  EXPECT_EQ(FormatFrequency(1.2e6), "1.2 GHz");
  EXPECT_EQ(FormatFrequency(1479040), "1.479 GHz");
  EXPECT_EQ(FormatFrequency(999'990), "1 GHz");
  EXPECT_EQ(FormatFrequency(0.0 / 0.0), "--");
  EXPECT_EQ(FormatCount(1234567), "1,234,567");
  EXPECT_EQ(FormatCount(-123), "-123");
  EXPECT_EQ(FormatCount(1, "span"), "1 span");
  EXPECT_EQ(FormatCount(2000, "span"), "2,000 spans");
}

}  // namespace
}  // namespace edgewise
