#include "cards/nearest.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

constexpr std::string_view kWords[] = {"period_ms", "deadline_ms", "name"};

TEST(NearestWordTest, FindsSmallSlips) {
  EXPECT_EQ(NearestWord("perriod_ms", kWords), "period_ms");
  EXPECT_EQ(NearestWord("deadlinems", kWords), "deadline_ms");
  EXPECT_EQ(NearestWord("nam", kWords), "name");
}

TEST(NearestWordTest, LeavesOtherWordsAlone) {
  EXPECT_FALSE(NearestWord("owner", kWords));
  EXPECT_FALSE(NearestWord("", kWords));
  EXPECT_FALSE(NearestWord("nx", kWords));
  EXPECT_FALSE(NearestWord(std::string(100'000, 'a'), kWords));
}

}  // namespace
}  // namespace edgewise
