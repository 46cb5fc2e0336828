#include "base/host_port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::HasSubstr;

TEST(HostPortTest, NamesAndAddressesAreRead) {
  EXPECT_EQ(*ParseHostPort("localhost:1883"), (HostPort{"localhost", 1883}));
  EXPECT_EQ(*ParseHostPort("[::1]:1883"), (HostPort{"::1", 1883}));
  EXPECT_EQ(*ParseHostPort("1883", "127.0.0.1"), (HostPort{"127.0.0.1", 1883}));
  EXPECT_EQ(*ParseHostPort("0", "127.0.0.1", 0), (HostPort{"127.0.0.1", 0}));
  EXPECT_EQ(FormatHostPort("localhost", 1883), "localhost:1883");
  EXPECT_EQ(FormatHostPort("::1", 1883), "[::1]:1883");
}

TEST(HostPortTest, AnythingElseSaysWhatToWrite) {
  for (const char* text : {"", "localhost", "1883", ":1883", "localhost:",
                           "localhost:mqtt", "localhost:0", "localhost:65536",
                           "::1:1883", "[::1]", "mqtt://h:1", "two words:5"}) {
    const auto read = ParseHostPort(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_THAT(read.error().message, HasSubstr("HOST:PORT")) << text;
  }
}

}  // namespace
}  // namespace edgewise
