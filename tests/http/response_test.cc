#include "http/response.h"

#include <gtest/gtest.h>

namespace edgewise::http {
namespace {

TEST(ResponseTest, ErrorsAreJsonWithACode) {
  const Response response = ErrorResponse(422, "no_fit", "it is too \"large\"");
  EXPECT_EQ(response.status, 422);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(response.body,
            "{\"error\":{\"code\":\"no_fit\",\"message\":\"it is too "
            "\\\"large\\\"\"}}\n");
}

TEST(ResponseTest, ErrorsAreJsonWhateverTheyQuote) {
  const Response response = ErrorResponse(404, "not_found", "\xff\n\x01");
  EXPECT_EQ(response.body,
            "{\"error\":{\"code\":\"not_found\",\"message\":\"\xef\xbf\xbd\\n"
            "\\u0001\"}}\n");
}

}  // namespace
}  // namespace edgewise::http
