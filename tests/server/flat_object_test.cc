#include "server/flat_object.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

FlatObject Read(std::string_view json) {
  const auto read = ReadFlatObject(json);
  EXPECT_TRUE(std::holds_alternative<FlatObject>(read)) << json;
  return std::holds_alternative<FlatObject>(read) ? std::get<FlatObject>(read)
                                                  : FlatObject();
}

Problem ProblemOf(std::string_view json) {
  const auto read = ReadFlatObject(json);
  EXPECT_TRUE(std::holds_alternative<Problem>(read)) << json;
  return std::holds_alternative<Problem>(read) ? std::get<Problem>(read)
                                               : Problem();
}

TEST(FlatObjectTest, NumbersComeBackAsTheyWereWritten) {
  const char* const json =
      R"({"a":10000000000000000000,"b":123456789012345678901234567890,)"
      R"("c":1.50,"d":-7,"e":1e3})";
  EXPECT_EQ(Read(json).Json(), json);
  EXPECT_DOUBLE_EQ(*Read(json).Find("a")->number, 1e19);
  EXPECT_DOUBLE_EQ(*Read(json).Find("e")->number, 1000);
}

TEST(FlatObjectTest, KeysAreSortedAndTheLastOfSeveralCounts) {
  EXPECT_EQ(Read(R"({"b":1,"a":"x","b":2})").Json(), R"({"a":"x","b":2})");
}

TEST(FlatObjectTest, TextsAreQuotedAgain) {
  EXPECT_EQ(Read(R"({"a":"\"\\\u0001ü"})").Json(), R"({"a":"\"\\\u0001ü"})");
  EXPECT_EQ(Read(R"({"a":true,"b":null})").Json(), R"({"a":true,"b":null})");
}

TEST(FlatObjectTest, OtherJsonIsRefused) {
  for (const char* json : {"", " ", "7", "\"x\"", "null", "[", "[]", "{",
                           "{\"a\"}", "{\"a\":1,}", "{\"a\":1}x", "\xff"}) {
    EXPECT_EQ(ProblemOf(json).code, "invalid_json") << json;
  }
}

TEST(FlatObjectTest, NestedMembersAreNamed) {
  EXPECT_EQ(ProblemOf(R"({"a":1,"b":{"c":1}})").field, "b");
  EXPECT_EQ(ProblemOf(R"({"a":[1]})").field, "a");
  EXPECT_EQ(ProblemOf(R"({"a":1e999})").field, "a");
  std::string many = "{\"a0\":0";
  for (int i = 1; i < 200; ++i) {
    many += ",\"a" + std::to_string(i) + "\":0";
  }
  EXPECT_EQ(ProblemOf(many + "}").code, "invalid_field");
}

TEST(FlatBatchTest, HasModelsDevicesAndTheRest) {
  const auto read = ReadFlatBatch(
      R"({"models":[{"a":1},{"b":"x"}],"devices":["d"],"top":3})", 10);
  ASSERT_TRUE(std::holds_alternative<FlatBatch>(read));
  const auto& batch = std::get<FlatBatch>(read);
  EXPECT_EQ(batch.models.size(), 2U);
  EXPECT_EQ(batch.devices, std::vector<std::string>{"d"});
  EXPECT_DOUBLE_EQ(*batch.rest.Find("top")->number, 3);
}

TEST(FlatBatchTest, WrongOnesAreRefused) {
  for (const char* json :
       {"", "[]", "{}", R"({"models":1})", R"({"models":[1]})",
        R"({"models":[{},{},{}]})", R"({"models":[],"devices":"d"})",
        R"({"models":[],"devices":[1]})", R"({"models":[],"x":[1]})"}) {
    EXPECT_TRUE(std::holds_alternative<Problem>(ReadFlatBatch(json, 2)))
        << json;
  }
}

}  // namespace
}  // namespace edgewise
