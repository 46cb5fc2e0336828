#include "impair/impairment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::HasSubstr;

TEST(ImpairmentTest, AllKeysAreRead) {
  const auto read = ParseImpairment(
      "delay=40ms,jitter=5ms,loss=1%,rate=1mbit,disconnect=every:10s:for:2s");
  ASSERT_TRUE(read.ok()) << read.error().message;
  Impairment expected;
  expected.delay_ns = 40'000'000;
  expected.jitter_ns = 5'000'000;
  expected.loss = 0.01;
  expected.rate_bits_per_s = 1'000'000;
  expected.disconnect_every_ns = 10'000'000'000;
  expected.disconnect_for_ns = 2'000'000'000;
  EXPECT_EQ(*read, expected);
  EXPECT_TRUE(read->any());
}

TEST(ImpairmentTest, NoneIsNothing) {
  const auto read = ParseImpairment("none");
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->any());
  EXPECT_EQ(FormatImpairment(*read), "none");
}

TEST(ImpairmentTest, TextRoundTripsExactly) {
  for (const char* text :
       {"delay=40ms,jitter=5ms,loss=1%,rate=1mbit,disconnect=every:10s",
        "delay=1500us", "delay=7ns", "delay=2s,jitter=1s", "loss=0.1%",
        "loss=33.3%", "rate=1500bit", "rate=64kbit", "rate=2gbit",
        "disconnect=every:10s:for:500ms", "loss=50%,rate=1mbit", "none"}) {
    const auto read = ParseImpairment(text);
    ASSERT_TRUE(read.ok()) << text << ": " << read.error().message;
    EXPECT_EQ(FormatImpairment(*read), text);
    EXPECT_EQ(*ParseImpairment(FormatImpairment(*read)), *read) << text;
  }
}

TEST(ImpairmentTest, OtherSpellingsAreUnderstood) {
  EXPECT_EQ(*ParseImpairment(" rate=1.5Mbit/s , delay=0.5ms"),
            *ParseImpairment("delay=500us,rate=1500kbit"));
  EXPECT_EQ(ParseImpairment("delay=0,loss=0%")->any(), false);
}

TEST(ImpairmentTest, BadInputSaysWhatToWrite) {
  struct Case {
    const char* text;
    const char* hint;
  };
  for (const auto& [text, hint] : {
           Case{"", "as in delay=40ms"},
           Case{"delay=40ms,", "as in delay=40ms"},
           Case{"=3", "as in delay=40ms"},
           Case{"dealy=40ms", "did you mean delay?"},
           Case{"colour=red", "choose from delay, jitter, loss, rate"},
           Case{"delay", "delay has no value"},
           Case{"delay=", "delay=40ms"},
           Case{"delay=40", "a number and a unit"},
           Case{"delay=-1ms", "is not a time"},
           Case{"delay=2m", "at most"},
           Case{"delay=1ms,delay=2ms", "twice"},
           Case{"delay=5ms,jitter=6ms", "at least the jitter"},
           Case{"jitter=5ms", "at least the jitter"},
           Case{"loss=1", "loss=1%"},
           Case{"loss=-1%", "0% to 50%"},
           Case{"loss=51%", "0% to 50%"},
           Case{"loss=%", "0% to 50%"},
           Case{"loss=nan%", "0% to 50%"},
           Case{"rate=1", "rate=1mbit"},
           Case{"rate=0mbit", "rate=1mbit"},
           Case{"rate=nanmbit", "rate=1mbit"},
           Case{"rate=1MB", "rate=1mbit"},
           Case{"rate=9999gbit", "rate=1mbit"},
           Case{"disconnect=10s", "disconnect=every:10s"},
           Case{"disconnect=every", "disconnect=every:10s"},
           Case{"disconnect=every:10s:for", "disconnect=every:10s"},
           Case{"disconnect=every:soon", "is not a time"},
           Case{"disconnect=every:1ms", "at least 10 ms"},
           Case{"disconnect=every:1s:for:1s", "longer than for"},
       }) {
    const auto read = ParseImpairment(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(read.error().message, HasSubstr(hint)) << text;
  }
}

}  // namespace
}  // namespace edgewise
