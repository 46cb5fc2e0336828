#include "base/utf8.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

TEST(Utf8Test, CharactersHaveOneToFourBytes) {
  EXPECT_EQ(Utf8CharacterBytes("a"), 1u);
  EXPECT_EQ(Utf8CharacterBytes("\xc3\xa9 and more"), 2u);
  EXPECT_EQ(Utf8CharacterBytes("\xe2\x82\xac"), 3u);
  EXPECT_EQ(Utf8CharacterBytes("\xf0\x9f\x98\x80"), 4u);
}

TEST(Utf8Test, StrayAndMissingBytesAreNoCharacter) {
  EXPECT_EQ(Utf8CharacterBytes("\x80"), 0u);
  EXPECT_EQ(Utf8CharacterBytes("\xff"), 0u);
  EXPECT_EQ(Utf8CharacterBytes("\xc3"), 0u);
  EXPECT_EQ(Utf8CharacterBytes("\xc3z"), 0u);
}

TEST(Utf8Test, OverlongFormsSurrogatesAndTooLargeOnesAreNoCharacter) {
  EXPECT_EQ(Utf8CharacterBytes("\xc0\xaf"), 0u);
  EXPECT_EQ(Utf8CharacterBytes("\xe0\x80\xaf"), 0u);
  EXPECT_EQ(Utf8CharacterBytes("\xed\xa0\x80"), 0u);
  EXPECT_EQ(Utf8CharacterBytes("\xf4\x90\x80\x80"), 0u);
}

TEST(Utf8Test, TheFirstWrongByteIsFound) {
  EXPECT_EQ(FindNotUtf8(""), kNowhere);
  EXPECT_EQ(FindNotUtf8("na\xc3\xafve"), kNowhere);
  EXPECT_EQ(FindNotUtf8("na\xefve"), 2u);
}

}  // namespace
}  // namespace edgewise
