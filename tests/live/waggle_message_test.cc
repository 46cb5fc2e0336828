#include "live/waggle_message.h"

#include <gtest/gtest.h>

namespace edgewise::live {
namespace {

TEST(ParseWaggleMessageTest, ReadsWhatTheOldLibrarySends) {
  const auto values = ParseWaggleMessage(
      R"({"latency": {"value": 0.0312, "timestamp": 1700000000.5}})");
  ASSERT_TRUE(values.has_value());
  ASSERT_EQ(values->size(), 1u);
  EXPECT_EQ(values->front().name, "latency");
  EXPECT_DOUBLE_EQ(values->front().value, 0.0312);
  EXPECT_DOUBLE_EQ(values->front().timestamp_s.value(), 1700000000.5);
}

TEST(ParseWaggleMessageTest, TakesSeveralMetricsAndOtherMembers) {
  const auto values = ParseWaggleMessage(
      "{\"a\":{\"value\":1,\"unit\":\"s\",\"ok\":true},\n "
      "\"b\":{\"value\":-2e3}}");
  ASSERT_TRUE(values.has_value());
  ASSERT_EQ(values->size(), 2u);
  EXPECT_DOUBLE_EQ((*values)[1].value, -2000);
}

TEST(ParseWaggleMessageTest, LeavesOutValuesThatAreNoNumbers) {
  for (const char* value : {"NaN", "Infinity", "\"7\"", "null", "true"}) {
    const auto values = ParseWaggleMessage(std::string("{\"a\":{\"value\":") +
                                           value + ",\"timestamp\":1}}");
    ASSERT_TRUE(values.has_value()) << value;
    EXPECT_TRUE(values->empty()) << value;
  }
}

TEST(ParseWaggleMessageTest, UndoesEscapesInNames) {
  const auto values =
      ParseWaggleMessage(R"({"a\"\u00e4\u0007\n":{"value":1}})");
  ASSERT_TRUE(values.has_value());
  EXPECT_EQ(values->front().name, "a\"\xC3\xA4??");
}

TEST(ParseWaggleMessageTest, RefusesWhatIsNoMessage) {
  for (const char* text :
       {"", "{", "[]", "{\"a\":1}", "{\"a\":{\"value\":1}",
        "{\"a\":{\"value\"}}", "{\"a\":{\"value\":{\"x\":1}}}",
        "{\"a\":{\"value\":1}} x", "{\"a\":{\"value\":1},}",
        "{\"\\u12\":{\"value\":1}}", "{\"a"}) {
    EXPECT_FALSE(ParseWaggleMessage(text).has_value()) << text;
  }
}

TEST(WaggleFramesTest, MessagesMayBeSplitAnywhere) {
  const std::string stream = "{\"a\":1}\n\n{\"b\":2}\n\n";
  for (size_t cut = 0; cut <= stream.size(); ++cut) {
    WaggleFrames frames;
    std::vector<std::string> messages;
    for (const std::string& part :
         {stream.substr(0, cut), stream.substr(cut)}) {
      EXPECT_TRUE(frames.Take(part));
      while (const auto message = frames.Next()) {
        messages.push_back(*message);
      }
    }
    ASSERT_EQ(messages.size(), 2u) << cut;
    EXPECT_EQ(messages[0], "{\"a\":1}");
    EXPECT_EQ(messages[1], "{\"b\":2}");
  }
}

TEST(WaggleFramesTest, MessagesMayComeTogether) {
  WaggleFrames frames;
  std::string stream;
  for (int i = 0; i < 1000; ++i) {
    stream += "{\"m\":{\"value\":" + std::to_string(i) + "}}\n\n";
  }
  EXPECT_TRUE(frames.Take(stream));
  int count = 0;
  while (frames.Next()) {
    ++count;
  }
  EXPECT_EQ(count, 1000);
}

TEST(WaggleFramesTest, AMessageWithoutEndIsRefused) {
  WaggleFrames frames;
  EXPECT_TRUE(frames.Take(std::string(60 << 10, 'x')));
  EXPECT_FALSE(frames.Take(std::string(8 << 10, 'x')));
}

}  // namespace
}  // namespace edgewise::live
