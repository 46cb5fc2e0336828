#include "prediction/csv_table.h"

#include <gmock/gmock.h>

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CsvTableTest, QuotedFieldsMayHoldCommasQuotesAndLineFeeds) {
  const auto table = ParseCsv("a,b\r\n\"x, \"\"y\"\"\n\",2\n\n3,4", "t.csv");
  ASSERT_TRUE(table);
  EXPECT_THAT(table->rows, ElementsAre(ElementsAre("x, \"y\"\n", "2"),
                                       ElementsAre("3", "4")));
  EXPECT_EQ(table->Find("b"), 1u);
  EXPECT_EQ(table->Find("c"), std::nullopt);
}

TEST(CsvTableTest, ARowOfAnotherLengthIsRefusedByNumber) {
  const auto table = ParseCsv("a,b\n1,2\n3\n", "t.csv");
  ASSERT_FALSE(table);
  EXPECT_THAT(table.error().message, HasSubstr("t.csv, record 3"));
}

TEST(CsvTableTest, AnOpenQuoteIsRefused) {
  EXPECT_FALSE(ParseCsv("a\n\"never ends", "t.csv"));
}

TEST(CsvTableTest, AnEmptyTextIsRefused) { EXPECT_FALSE(ParseCsv("", "t")); }

}  // namespace
}  // namespace edgewise
