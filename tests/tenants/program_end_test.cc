#include "tenants/program_end.h"

#include <gtest/gtest.h>

namespace edgewise::tenants {
namespace {

TEST(LastWordsTest, AreThoseOfTheTenantProgramAndOfTheOneItAsks) {
  EXPECT_EQ(LastWords(""), "");
  EXPECT_EQ(LastWords("tenant: no space left\n"), ": no space left");
  EXPECT_EQ(LastWords("begin\nValueError: x\n\n"),
            ": the last that it said is \"ValueError: x\"");
  EXPECT_EQ(LastWords("ValueError: x\ntenant: \"a\" ended\n"),
            ": \"a\" ended; the last that it said is \"ValueError: x\"");
}

}  // namespace
}  // namespace edgewise::tenants
