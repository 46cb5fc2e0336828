#include "report/utf8.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(Utf8Test, ValidTextStaysAsItIs) {
  const std::string text = "a é 漢 😀";
  EXPECT_EQ(ValidUtf8(text), text);
}

TEST(Utf8Test, EveryInvalidByteBecomesAReplacement) {
  EXPECT_EQ(ValidUtf8("a\xff\xfe"), "a\uFFFD\uFFFD");
  EXPECT_EQ(ValidUtf8("\xe6\xbc"), "\uFFFD\uFFFD");            // cut off
  EXPECT_EQ(ValidUtf8("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(ValidUtf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
  EXPECT_EQ(ValidUtf8("\xf4\x90\x80\x80"),
            "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond Unicode
}

TEST(Utf8Test, AnyTwoBytesAreSafeAndBecomeValid) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes{static_cast<char>(first),
                              static_cast<char>(second)};
      const std::string valid = ValidUtf8(bytes);
      EXPECT_EQ(ValidUtf8(valid), valid);
      EXPECT_FALSE(valid.empty());
    }
  }
}

TEST(Utf8Test, EscapeSequencesCannotReachTheTerminal) {
  EXPECT_EQ(Printable("a\x1b[31mred"), "a\uFFFD[31mred");
  EXPECT_EQ(Printable("one\ntwo\tthree"), "one two three");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\uFFFD31m");  // the C1 form of the same
  EXPECT_EQ(Printable("a\u202Eb"), "a\uFFFDb");
}

TEST(Utf8Test, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(DisplayWidth("µs"), 2);
  EXPECT_EQ(DisplayWidth("漢字"), 4);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1);
  EXPECT_EQ(DisplayWidth("▁█"), 2);
}

TEST(Utf8Test, CutTextEndsWithAnEllipsisAndFits) {
  EXPECT_EQ(FitWidth("abcdef", 6), "abcdef");
  EXPECT_EQ(FitWidth("abcdef", 4), "abc…");
  EXPECT_EQ(FitWidth("漢字漢字", 4), "漢…");
  EXPECT_EQ(FitWidth("abc", 1), "…");
}

TEST(Utf8Test, PaddingFillsToTheWidth) {
  EXPECT_EQ(PadWidth("µ", 3), "µ  ");
  EXPECT_EQ(PadWidth("µ", 3, true), "  µ");
  EXPECT_EQ(PadWidth("abcd", 3), "abcd");
}

TEST(Utf8Test, AsciiKeepsTheWidth) {
  EXPECT_EQ(ToAscii("1–2 µs · 漢"), "1-2 us | ??");
  EXPECT_EQ(ToAscii("▁▄█"), "_=#");
}

}  // namespace
}  // namespace edgewise
