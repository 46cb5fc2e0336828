#include "mqtt/json_fields.h"

#include <gtest/gtest.h>

#include <string>

namespace edgewise::mqtt {
namespace {

TEST(JsonFieldsTest, MembersComeInTheirOrder) {
  JsonFields fields(R"( {"id": 17, "name" :"x", "flag":true} )");
  ASSERT_TRUE(fields.Next());
  EXPECT_EQ(fields.name(), "id");
  EXPECT_EQ(fields.Integer(), 17);
  ASSERT_TRUE(fields.Next());
  EXPECT_EQ(fields.name(), "name");
  EXPECT_EQ(fields.Text(), "x");
  EXPECT_EQ(fields.Integer(), std::nullopt);
  ASSERT_TRUE(fields.Next());
  EXPECT_TRUE(fields.IsTrue());
  EXPECT_FALSE(fields.Next());
  EXPECT_TRUE(fields.whole());
}

TEST(JsonFieldsTest, NestedValuesAndEscapesAreSkipped) {
  JsonFields fields(
      R"({"a":{"id":1,"t":"}]\""},"b":[1,[2],{"c":3}],"q":"\\","id":5})");
  int64_t id = 0;
  int members = 0;
  while (fields.Next()) {
    ++members;
    if (fields.name() == "id") {
      id = fields.Integer().value_or(0);
    }
  }
  EXPECT_TRUE(fields.whole());
  EXPECT_EQ(members, 4);
  EXPECT_EQ(id, 5);
}

TEST(JsonFieldsTest, WhatIsNoObjectIsNotWhole) {
  for (const char* text : {"", "7", "[1]", "{", "{}x", "{\"a\"}", "{\"a\":}",
                           "{\"a\":1", "{\"a\":1,}", "{\"a\":1 \"b\":2}",
                           "{a:1}", "{\"a\":\"x}", "{\"a\":{\"b\":1}"}) {
    JsonFields fields(text);
    while (fields.Next()) {
    }
    EXPECT_FALSE(fields.whole()) << text;
  }
  JsonFields empty("{}");
  EXPECT_FALSE(empty.Next());
  EXPECT_TRUE(empty.whole());
}

TEST(JsonFieldsTest, DeepNestingEndsIt) {
  const std::string text =
      "{\"a\":" + std::string(1000, '[') + std::string(1000, ']') + "}";
  JsonFields fields(text);
  EXPECT_FALSE(fields.Next());
}

TEST(JsonFieldsTest, NumbersThatAreNotWholeAreNoIntegers) {
  for (const char* text : {"{\"a\":1.5}", "{\"a\":1e9}", "{\"a\":null}",
                           "{\"a\":99999999999999999999}", "{\"a\":\"7\"}"}) {
    JsonFields fields(text);
    ASSERT_TRUE(fields.Next()) << text;
    EXPECT_EQ(fields.Integer(), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace edgewise::mqtt
