#include "datasets/entry_name.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(EntryNameTest, NamesAreTidiedUp) {
  EXPECT_EQ(*EntryName("a/b"), "a/b");
  EXPECT_EQ(*EntryName("./a//b/"), "a/b");
  EXPECT_EQ(*EntryName("./"), "");
  EXPECT_EQ(*EntryName("..a/b.."), "..a/b..");
}

TEST(EntryNameTest, NamesThatLeadOutAreRefused) {
  for (const char* const name :
       {"..", "../a", "a/..", "a/../../b", "/a", "//a", ""}) {
    EXPECT_FALSE(EntryName(name)) << name;
  }
  EXPECT_FALSE(EntryName(std::string_view("a\0b", 3)));
  EXPECT_FALSE(EntryName(std::string(256, 'a')));
  EXPECT_FALSE(EntryName(std::string(4000, '/') + "a"));
}

TEST(EntryNameTest, LinksMayGoUpOnlyAsFarAsTheyLieDeep) {
  EXPECT_TRUE(LinkStaysInside("l", "a"));
  EXPECT_TRUE(LinkStaysInside("l", "./a/b"));
  EXPECT_TRUE(LinkStaysInside("a/l", "../b"));
  EXPECT_TRUE(LinkStaysInside("a/b/l", "../../c"));
  EXPECT_FALSE(LinkStaysInside("l", ".."));
  EXPECT_FALSE(LinkStaysInside("a/l", "../../b"));
  EXPECT_FALSE(LinkStaysInside("l", "/etc"));
  EXPECT_FALSE(LinkStaysInside("l", ""));
}

// "d" may be a link to ".", and then "d/.." is outside.
TEST(EntryNameTest, LinksMayNotGoUpAfterTheyWentDown) {
  EXPECT_FALSE(LinkStaysInside("l", "d/.."));
  EXPECT_FALSE(LinkStaysInside("a/b/l", "d/../x"));
}

}  // namespace
}  // namespace edgewise
