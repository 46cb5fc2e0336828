#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TextTest, MissingFileIsAnErrorThatNamesIt) {
  const auto content = ReadFile("/no/such/file");
  ASSERT_FALSE(content.ok());
  EXPECT_EQ(content.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(content.error().message, HasSubstr("/no/such/file"));
}

TEST(TextTest, FilesWithoutASizeAreReadWhole) {
  const auto status = ReadFile("/proc/self/status");
  ASSERT_TRUE(status.ok());
  EXPECT_THAT(*status, HasSubstr("voluntary_ctxt_switches"));
}

TEST(TextTest, NumbersMustBeTheWholeText) {
  EXPECT_EQ(ParseInt("-12"), -12);
  EXPECT_EQ(ParseInt("12 "), std::nullopt);
  EXPECT_EQ(ParseInt(""), std::nullopt);
  EXPECT_EQ(ParseInt("99999999999999999999"), std::nullopt);
  EXPECT_EQ(ParseUint("-1"), std::nullopt);
  EXPECT_EQ(ParseDouble("1e3"), 1000.0);
}

TEST(TextTest, KeyedIntNeedsTheWholeKey) {
  const std::string text = "VmRSSx:\t1 kB\nVmRSS:\t  1234 kB\nnr_periods 7\n";
  EXPECT_EQ(FindKeyedInt(text, "VmRSS"), 1234);
  EXPECT_EQ(FindKeyedInt(text, "nr_periods"), 7);
  EXPECT_EQ(FindKeyedInt(text, "nr"), std::nullopt);
  EXPECT_EQ(FindKeyedInt("key", "key"), std::nullopt);
}

TEST(TextTest, SplitKeepsEmptyPiecesAndFieldsDoNot) {
  EXPECT_THAT(Split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(SplitFields("  a \t b\n"), ElementsAre("a", "b"));
}

TEST(TextTest, ShellQuoteAndSplitAreInverse) {
  const std::vector<std::string> words{"./a b", "it's", "", "x=\"1\"", "plain"};
  const auto back = ShellSplit(ShellQuote(words));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, words);
}

TEST(TextTest, UnclosedQuoteIsRefused) {
  EXPECT_FALSE(ShellSplit("./app 'one").ok());
}

}  // namespace
}  // namespace edgewise
