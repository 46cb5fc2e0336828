#include "http/request.h"

#include <gtest/gtest.h>

namespace edgewise::http {
namespace {

TEST(RequestTest, HeadersAreFoundInAnyCase) {
  Request request;
  request.headers = {{"X-One", "1"}, {"x-one", "2"}};
  EXPECT_EQ(request.Header("X-ONE"), "1");
  EXPECT_EQ(request.Header("X-On"), std::nullopt);
}

TEST(RequestTest, QueryNamesAreExact) {
  Request request;
  request.query = {{"a", "1"}, {"b", ""}};
  EXPECT_EQ(request.Query("a"), "1");
  EXPECT_EQ(request.Query("b"), "");
  EXPECT_EQ(request.Query("A"), std::nullopt);
}

TEST(RequestTest, ContentTypeHasNoParameters) {
  Request request;
  EXPECT_EQ(request.ContentType(), "");
  request.headers = {{"content-type", "Application/JSON ; charset=utf-8"}};
  EXPECT_EQ(request.ContentType(), "application/json");
}

TEST(RequestTest, ParameterThatIsNotThereIsEmpty) {
  Request request;
  request.parameters = {{"id", "7"}};
  EXPECT_EQ(request.Parameter("id"), "7");
  EXPECT_EQ(request.Parameter("name"), "");
}

}  // namespace
}  // namespace edgewise::http
