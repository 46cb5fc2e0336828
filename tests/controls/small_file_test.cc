#include "controls/small_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/text.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

TEST(FixedPathTest, PiecesAreJoined) {
  FixedPath path("/proc");
  path.Append("/").Append(int64_t{42}).Append("/stat");
  EXPECT_STREQ(path.c_str(), "/proc/42/stat");
  path.Truncate(5);
  EXPECT_STREQ(path.c_str(), "/proc");
  EXPECT_STREQ(FixedPath("a", "b").c_str(), "a/b");
  EXPECT_STREQ(FixedPath("").Append(INT64_MIN).c_str(), "-9223372036854775808");
}

TEST(FixedPathTest, APathTooLongIsEmptyForGood) {
  FixedPath path("/start/");
  path.Append(std::string(5000, 'x').c_str());
  EXPECT_STREQ(path.c_str(), "");
  path.Append("/etc");
  EXPECT_STREQ(path.c_str(), "");
}

TEST(SmallFileTest, ReadingStopsAtTheBuffersEnd) {
  const TemporaryHome home;
  ASSERT_TRUE(WriteFile(home.path() / "f", "0123456789").ok());
  char buffer[5];
  ASSERT_TRUE(
      ReadSmallFile((home.path() / "f").c_str(), buffer, sizeof(buffer)));
  EXPECT_STREQ(buffer, "0123");
  EXPECT_FALSE(
      ReadSmallFile((home.path() / "g").c_str(), buffer, sizeof(buffer)));
}

TEST(SmallFileTest, WritingNeedsAnExistingFile) {
  const TemporaryHome home;
  EXPECT_EQ(WriteExisting((home.path() / "f").c_str(), "x"), ENOENT);
  ASSERT_TRUE(WriteFile(home.path() / "f", "").ok());
  EXPECT_EQ(WriteExisting((home.path() / "f").c_str(), "x"), 0);
  EXPECT_EQ(*ReadFile(home.path() / "f"), "x");
}

TEST(SmallFileTest, NumbersEndWhereDigitsDo) {
  const char* text = "123 456";
  EXPECT_EQ(ReadNumber(text), 123);
  EXPECT_STREQ(text, " 456");
  const char* huge = "99999999999999999999999";
  EXPECT_EQ(ReadNumber(huge), 0);
}

TEST(RemoveTreeTest, FoldersGoWithAllThatIsInThem) {
  const TemporaryHome home;
  const auto top = home.path() / "top";
  std::filesystem::create_directories(top / "a/b/c");
  ASSERT_TRUE(WriteFile(top / "a/b/file", "x").ok());
  EXPECT_EQ(RemoveTree(top.c_str()), 0);
  EXPECT_FALSE(std::filesystem::exists(top));
  EXPECT_EQ(RemoveTree(top.c_str()), 0) << "absence is success";
}

TEST(RemoveTreeTest, LinksAreNotFollowed) {
  const TemporaryHome home;
  std::filesystem::create_directories(home.path() / "precious");
  ASSERT_TRUE(WriteFile(home.path() / "precious/file", "x").ok());
  std::filesystem::create_directories(home.path() / "top");
  std::filesystem::create_symlink(home.path() / "precious",
                                  home.path() / "top/link");
  EXPECT_EQ(RemoveTree((home.path() / "top").c_str()), 0);
  EXPECT_TRUE(std::filesystem::exists(home.path() / "precious/file"));
}

}  // namespace
}  // namespace edgewise
