#include "clocks/exchange_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::clocks {
namespace {

using ::testing::HasSubstr;

const ClockQuestion kQuestion{"consumer 1", 17, 1'790'000'000'000'000'001};
const ClockAnswer kAnswer{kQuestion, "producer", 1'790'000'000'000'300'007,
                          1'790'000'000'000'300'009};

TEST(ExchangeMessageTest, QuestionsRoundTripToTheNanosecond) {
  const std::string text = FormatQuestion(kQuestion);
  EXPECT_THAT(text, HasSubstr("\"t0_ns\":1790000000000000001"));
  const auto read = ParseQuestion(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, kQuestion);
}

TEST(ExchangeMessageTest, AnswersCarryTheQuestionBack) {
  const auto read = ParseAnswer(FormatAnswer(kAnswer));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, kAnswer);
  const Exchange exchange = read->Received(1'790'000'000'000'600'001);
  EXPECT_EQ(exchange.t0_ns, kQuestion.t0_ns);
  EXPECT_EQ(exchange.round_trip_ns(), 599'998);
}

TEST(ExchangeMessageTest, AQuestionIsNoAnswer) {
  EXPECT_FALSE(ParseAnswer(FormatQuestion(kQuestion)).ok());
  EXPECT_FALSE(ParseQuestion(FormatAnswer(kAnswer)).ok());
}

TEST(ExchangeMessageTest, FieldsOfLaterVersionsAreIgnored) {
  const auto read = ParseQuestion(
      R"({"edgewise_clock":"question","from":"a","sequence":0,"t0_ns":0,)"
      R"("later":[1,{"x":null}]})");
  EXPECT_TRUE(read.ok());
}

TEST(ExchangeMessageTest, ForeignMessagesAreRefused) {
  for (
      const char* text :
      {"", "x", "[]", "{}", "null", "\"question\"",
       R"({"edgewise_clock":1,"from":"a","sequence":0,"t0_ns":0})",
       R"({"edgewise_clock":"question","sequence":0,"t0_ns":0})",
       R"({"edgewise_clock":"question","from":"","sequence":0,"t0_ns":0})",
       R"({"edgewise_clock":"question","from":7,"sequence":0,"t0_ns":0})",
       R"({"edgewise_clock":"question","from":"a","sequence":-1,"t0_ns":0})",
       R"({"edgewise_clock":"question","from":"a","sequence":4294967296,"t0_ns":0})",
       R"({"edgewise_clock":"question","from":"a","sequence":0,"t0_ns":1.5})",
       R"({"edgewise_clock":"question","from":"a","sequence":0,"t0_ns":-1})",
       R"({"edgewise_clock":"question","from":"a","sequence":0,"t0_ns":4611686018427387904})",
       R"({"edgewise_clock":"question","from":"a","sequence":0,"t0_ns":0)",
       R"({"id":1,"t_pub_ns":1790000000000000001})"}) {
    const auto read = ParseQuestion(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalid);
  }
  EXPECT_FALSE(ParseQuestion(std::string(100'000, '[')).ok());
  EXPECT_FALSE(
      ParseQuestion(FormatQuestion({std::string(129, 'x'), 1, 1})).ok());
}

}  // namespace
}  // namespace edgewise::clocks
