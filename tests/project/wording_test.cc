#include "project/wording.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(WordingTest, NamesAreListedAsOneSaysThem) {
  EXPECT_EQ(Listed({}), "");
  EXPECT_EQ(Listed({"a"}), "a");
  EXPECT_EQ(Listed({"a", "b"}), "a and b");
  EXPECT_EQ(Listed({"a", "b", "c"}), "a, b and c");
}

TEST(WordingTest, EverySentenceEndsWithOneFullStop) {
  EXPECT_EQ(Sentences({"One", "Two.", " ", "Three! "}), "One. Two. Three!");
}

}  // namespace
}  // namespace edgewise
