#include "mqtt/message.h"

#include <gtest/gtest.h>

#include <string>

#include "mqtt/json_fields.h"

namespace edgewise::mqtt {
namespace {

Message Request() {
  Message message;
  message.id = 17;
  message.t_pub_ns = 1'731'694'178'000'000'123;
  message.run = 0x3f9a0c12b7de;
  message.host = 0xffffffffffffffff;
  message.m_due_ns = 5;
  message.m_pub_ns = 9'000'000'000'000;
  return message;
}

Message ResultOf(Message message) {
  message.t_done_ns = 1'731'694'178'000'000'999;
  message.t_recv_ns = 1'731'694'178'000'000'500;
  message.t_reply_ns = 1'731'694'178'000'001'000;
  message.processor = 77;
  message.m_recv_ns = 11;
  message.m_start_ns = 12;
  message.m_done_ns = 13;
  message.m_reply_ns = 14;
  return message;
}

class MessageTest : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Formats, MessageTest,
                         testing::Values(Format::kJson, Format::kBinary));

TEST_P(MessageTest, ComesBackAsItWas) {
  Message warm = Request();
  warm.warm_up = true;
  for (const Message& message : {Request(), ResultOf(Request()), warm}) {
    std::string bytes;
    EncodeMessage(message, GetParam(), 0, {}, &bytes);
    EXPECT_EQ(ParseMessage(bytes), message) << bytes;
  }
}

TEST_P(MessageTest, IsPaddedToTheSizeAskedFor) {
  std::string bytes;
  for (const size_t size : {LeastPayloadBytes(GetParam()), size_t{1024},
                            size_t{65536}, size_t{300}}) {
    EncodeMessage(Request(), GetParam(), size, {}, &bytes);
    EXPECT_EQ(bytes.size(), size);
    EXPECT_EQ(ParseMessage(bytes), Request());
  }
}

TEST_P(MessageTest, TheLongestFitsTheBounds) {
  Message longest = ResultOf(Request());
  longest.id = INT64_MAX;
  longest.run = UINT64_MAX;
  longest.processor = UINT64_MAX;
  longest.warm_up = true;
  std::string bytes;
  EncodeMessage(longest, GetParam(), 0, {}, &bytes);
  EXPECT_LE(bytes.size(), kMostJsonBytes);
  Message request = longest;
  request = Request();
  request.id = INT64_MAX;
  request.m_due_ns = request.t_pub_ns;
  request.m_pub_ns = request.t_pub_ns;
  request.warm_up = true;
  EncodeMessage(request, GetParam(), 0, {}, &bytes);
  EXPECT_LE(bytes.size(), LeastPayloadBytes(GetParam()));
}

TEST_P(MessageTest, CarriesWhatTheWorkHadToSay) {
  std::string bytes;
  EncodeMessage(ResultOf(Request()), GetParam(), 0, "a \"b\"\n\\\x01\xff",
                &bytes);
  EXPECT_EQ(ParseMessage(bytes), ResultOf(Request())) << bytes;
  EXPECT_NE(bytes.find("a "), std::string::npos);
}

TEST(LabMessageTest, TheLabsOwnMessagesAreRead) {
  const auto request =
      ParseMessage(R"({"id": 3, "t_pub_ns": 1731694178000000000})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->id, 3);
  EXPECT_FALSE(request->is_result());
  EXPECT_EQ(request->host, std::nullopt);
  const auto result = ParseMessage(
      R"({"id": 3, "t_pub_ns": 1731694178000000000, "label": "cat",)"
      R"( "t_done_ns": 1731694178100000000, "boxes": [[1, 2], [3, 4]]})");
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->is_result());
}

TEST(LabMessageTest, OthersCanReadOurs) {
  std::string bytes;
  EncodeMessage(Request(), Format::kJson, 400, {}, &bytes);
  EXPECT_TRUE(bytes.starts_with("{\"id\":17,\"t_pub_ns\":1731694178000000123,"))
      << bytes;
  JsonFields fields(bytes);
  while (fields.Next()) {
  }
  EXPECT_TRUE(fields.whole());
}

TEST(LabMessageTest, ForeignMessagesAreNone) {
  std::string binary;
  EncodeMessage(Request(), Format::kBinary, 0, {}, &binary);
  std::string other_version = binary;
  other_version[4] = 2;
  for (const std::string& text :
       {std::string(), std::string("hello"), std::string("{}"),
        std::string("{\"id\":1}"), std::string("{\"t_pub_ns\":5}"),
        std::string("{\"id\":-1,\"t_pub_ns\":5}"),
        std::string("{\"id\":\"1\",\"t_pub_ns\":5}"),
        std::string("{\"id\":1,\"t_pub_ns\":-5}"),
        std::string("{\"id\":1,\"t_pub_ns\":5"), binary.substr(0, 127),
        other_version, std::string("EWMQ")}) {
    EXPECT_EQ(ParseMessage(text), std::nullopt) << text;
  }
}

TEST(LabMessageTest, TheBinaryHeaderIsAsDocumented) {
  Message message;
  message.id = 0x0102;
  message.t_pub_ns = 3;
  message.run = 0x3f9a0c12b7de;
  std::string bytes;
  EncodeMessage(message, Format::kBinary, 0, "body", &bytes);
  EXPECT_EQ(bytes.substr(0, 10),
            std::string("EWMQ\x01\x00\x00\x00\x02\x01", 10));
  EXPECT_EQ(bytes.substr(16, 8),
            std::string("\xde\xb7\x12\x0c\x9a\x3f\x00\x00", 8));
  EXPECT_EQ(bytes[32], 3);
  EXPECT_EQ(bytes.substr(128), "body");
}

}  // namespace
}  // namespace edgewise::mqtt
