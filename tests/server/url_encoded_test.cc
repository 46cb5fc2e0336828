#include "server/url_encoded.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(UrlEncodedTest, DecodesNamesAndValues) {
  const auto form = ReadUrlEncoded("a=b+c&d%20e=%2Fx%26y&&flag");
  const auto& fields = std::get<http::Fields>(form);
  EXPECT_EQ(fields,
            (http::Fields{{"a", "b c"}, {"d e", "/x&y"}, {"flag", ""}}));
}

TEST(UrlEncodedTest, WrongEscapesAreRefused) {
  for (const char* bad : {"a=%", "a=%4", "a=%zz", "%=1"}) {
    EXPECT_TRUE(std::holds_alternative<Problem>(ReadUrlEncoded(bad))) << bad;
  }
}

}  // namespace
}  // namespace edgewise
