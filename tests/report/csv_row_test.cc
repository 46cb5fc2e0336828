#include "report/csv_row.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace edgewise {
namespace {

TEST(CsvRowTest, FieldsAreQuotedOnlyWhereNeeded) {
  EXPECT_EQ(CsvField("plain text"), "plain text");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(CsvField("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(CsvField(""), "");
}

TEST(CsvRowTest, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(CsvField("a\xff"), "a\uFFFD");
}

TEST(CsvRowTest, RowsEndWithALineFeed) {
  std::string csv;
  AppendCsvRow(&csv, {"a", "b,c", ""});
  EXPECT_EQ(csv, "a,\"b,c\",\n");
}

TEST(CsvRowTest, NumbersReadBackTheSame) {
  const double value = 0.1 + 0.2;
  EXPECT_EQ(std::stod(CsvNumber(value)), value);
  EXPECT_EQ(CsvNumber(std::nullopt), "");
  EXPECT_EQ(CsvNumber(std::numeric_limits<double>::infinity()), "");
}

TEST(CsvRowTest, NanosecondsKeepEveryDigit) {
  EXPECT_EQ(CsvDecimal(12'345'678'901, 9), "12.345678901");
  EXPECT_EQ(CsvDecimal(1'500'001, 6), "1.500001");
  EXPECT_EQ(CsvDecimal(-5, 9), "-0.000000005");
  EXPECT_EQ(CsvDecimal(std::numeric_limits<int64_t>::min(), 9),
            "-9223372036.854775808");
}

}  // namespace
}  // namespace edgewise
