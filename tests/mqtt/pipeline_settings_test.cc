#include "mqtt/pipeline_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace edgewise::mqtt {
namespace {

using testing::HasSubstr;
using testing::Not;

TransportSettings Parsed(const char* text) {
  TransportSettings settings;
  const auto parsed = ParseBroker(text, &settings);
  EXPECT_TRUE(parsed) << text;
  return settings;
}

TEST(BrokerAddressTest, HostPortAndSchemeAreRead) {
  EXPECT_EQ(Parsed("pi:1884").host, "pi");
  EXPECT_EQ(Parsed("pi:1884").port, 1884);
  EXPECT_EQ(Parsed("pi").port, 1883);
  EXPECT_EQ(Parsed("mqtts://pi").port, 8883);
  EXPECT_TRUE(Parsed("mqtts://pi").tls);
  EXPECT_FALSE(Parsed("mqtt://pi:1").tls);
  EXPECT_EQ(Parsed("[::1]:1900").host, "::1");
  EXPECT_EQ(Parsed("[::1]:1900").port, 1900);
}

TEST(BrokerAddressTest, OtherTextIsRefusedWithWhatToWrite) {
  for (const char* text : {"", ":1883", "pi:", "pi:0", "pi:70000", "pi:x",
                           "http://pi", "a b:1", "[::1", "u@pi", "1:2:3"}) {
    TransportSettings settings;
    const auto parsed = ParseBroker(text, &settings);
    ASSERT_FALSE(parsed) << text;
    EXPECT_THAT(parsed.error().message, HasSubstr("HOST:PORT"));
  }
}

TEST(PipelineSettingsTest, WhatCannotWorkIsRefusedByItsOption) {
  const auto refusal = [](auto change) {
    PipelineSettings settings;
    change(settings);
    const auto checked = CheckPipeline(settings);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(refusal([](auto&) {}), "");
  EXPECT_THAT(refusal([](auto& s) { s.topic = "a/#"; }), HasSubstr("--topic"));
  EXPECT_THAT(refusal([](auto& s) { s.topic = "$SYS"; }), HasSubstr("--topic"));
  EXPECT_THAT(refusal([](auto& s) { s.qos = 3; }), HasSubstr("--qos"));
  EXPECT_THAT(refusal([](auto& s) { s.rate_per_s = 0; }), HasSubstr("--rate"));
  EXPECT_THAT(refusal([](auto& s) { s.messages = 0; }),
              HasSubstr("--duration"));
  EXPECT_THAT(refusal([](auto& s) { s.payload_bytes = 100; }),
              HasSubstr("at least 256 bytes, or 128 with --format binary"));
  EXPECT_THAT(refusal([](auto& s) { s.payload_bytes = int64_t{1} << 30; }),
              HasSubstr("256 MiB"));
  EXPECT_THAT(refusal([](auto& s) { s.per_message = true; }),
              HasSubstr("--per-message"));
  EXPECT_THAT(refusal([](auto& s) {
                s.direct = true;
                s.command = {"x"};
              }),
              HasSubstr("--direct"));
  EXPECT_THAT(refusal([](auto& s) { s.queue_length = 0; }),
              HasSubstr("--queue"));
  EXPECT_THAT(refusal([](auto& s) { s.connection.window = 0; }),
              HasSubstr("--window"));
}

TEST(PipelineSettingsTest, ThePasswordIsOnNoCommandLine) {
  PipelineSettings settings;
  settings.connection.user = "me";
  settings.connection.password = "secret-of-mine";
  settings.password_file = "pw.txt";
  for (const Role role : {Role::kProduce, Role::kProcess, Role::kConsume}) {
    const std::string line = Join(RoleArguments(settings, role), " ");
    EXPECT_THAT(line, HasSubstr("--user me"));
    EXPECT_THAT(line, HasSubstr("--password-file pw.txt"));
    EXPECT_THAT(line, Not(HasSubstr("secret-of-mine")));
  }
}

}  // namespace
}  // namespace edgewise::mqtt
