#include "base/nearest.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

const std::vector<std::string> kVerbs{"show", "run", "list", "compare"};

TEST(NearestTest, FindsTypos) {
  EXPECT_EQ(Nearest("shwo", kVerbs), "show");
  EXPECT_EQ(Nearest("comprae", kVerbs), "compare");
  EXPECT_EQ(Nearest("lists", kVerbs), "list");
}

TEST(NearestTest, AnotherWordIsNoTypo) {
  EXPECT_EQ(Nearest("xyzzy", kVerbs), std::nullopt);
  EXPECT_EQ(Nearest("", kVerbs), std::nullopt);
  EXPECT_EQ(Nearest("show", {}), std::nullopt);
}

}  // namespace
}  // namespace edgewise
