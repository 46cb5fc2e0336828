#include "report/table.h"

#include <gtest/gtest.h>

#include "golden.h"

namespace edgewise {
namespace {

Table Sample() {
  return {{{"name", false, true}, {"count"}, {"mean", true}},
          {{{"frame"}, {"1,200"}, {"24.3 ms"}},
           {{"漢字 and a long tail of words"}, {"7"}, {"1.2 µs"}}}};
}

TEST(TableTest, NumbersStandRightAndWordsLeft) {
  EXPECT_EQ(TextTable(Sample(), {.width = 80}),
            "name                           count     mean\n"
            "frame                          1,200  24.3 ms\n"
            "漢字 and a long tail of words      7   1.2 µs\n");
}

TEST(TableTest, ElasticColumnGivesWay) {
  const std::string text = TextTable(Sample(), {.width = 30});
  EXPECT_EQ(LongestLine(text), 30);
  EXPECT_NE(text.find("漢字 and a lo…"), std::string::npos) << text;
}

TEST(TableTest, WithoutElasticColumnsNothingIsCut) {
  Table table = Sample();
  table.columns[0].elastic = false;
  EXPECT_EQ(TextTable(table, {.width = 20}), TextTable(table, {.width = 200}));
}

TEST(TableTest, ColourIsOnlyUsedIfAsked) {
  Table table{{{"verdict", false}}, {{{"slower", Tone::kBad}}}};
  EXPECT_EQ(TextTable(table, {}), "verdict\nslower\n");
  EXPECT_EQ(TextTable(table, {.color = true}),
            "\x1b[2mverdict\x1b[0m\n\x1b[31mslower\x1b[0m\n");
}

TEST(TableTest, ColourDoesNotMoveColumns) {
  Table table = Sample();
  table.rows[0][0].tone = Tone::kGood;
  std::string text = TextTable(table, {.color = true});
  for (size_t at; (at = text.find('\x1b')) != std::string::npos;) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  EXPECT_EQ(text, TextTable(Sample(), {}));
}

TEST(TableTest, ShortRowsHaveEmptyCellsAndNoTrailingBlanks) {
  Table table{{{"a", false}, {"b"}}, {{{"x"}}, {{"y"}, {""}}}};
  EXPECT_EQ(TextTable(table, {}), "a  b\nx\ny\n");
}

TEST(TableTest, AsciiStyleHasNoOtherBytes) {
  for (const char c : TextTable(Sample(), {.unicode = false})) {
    EXPECT_EQ(static_cast<unsigned char>(c) & 0x80U, 0U);
  }
}

TEST(TableTest, NoRowsIsNoTable) {
  Table table = Sample();
  table.rows.clear();
  EXPECT_EQ(TextTable(table, {}), "");
  EXPECT_EQ(MarkdownTable(table), "");
}

TEST(TableTest, MarkdownHasTheSameCells) {
  Table table{{{"name", false}, {"count"}}, {{{"a|b_"}, {"1"}}, {{"d"}}}};
  EXPECT_EQ(MarkdownTable(table),
            "| name | count |\n"
            "| :--- | ---: |\n"
            "| a\\|b\\_ | 1 |\n"
            "| d |  |\n");
}

TEST(TableTest, MarkdownShowsTextAsItIs) {
  EXPECT_EQ(MarkdownEscape("wall_s [1–2]"), "wall_s [1–2]");
  EXPECT_EQ(MarkdownEscape("_x_ *y* <b> `c`"),
            "\\_x\\_ \\*y\\* \\<b\\> \\`c\\`");
  EXPECT_EQ(MarkdownEscape("[a](http://b)"), "[a\\](http://b)");
}

}  // namespace
}  // namespace edgewise
