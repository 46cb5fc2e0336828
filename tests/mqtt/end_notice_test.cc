#include "mqtt/end_notice.h"

#include <gtest/gtest.h>

namespace edgewise::mqtt {
namespace {

TEST(EndNoticeTest, ComesBackAsItWas) {
  const auto notice = ParseEndNotice(FormatEndNotice({UINT64_MAX, 900}));
  ASSERT_TRUE(notice);
  EXPECT_EQ(notice->run, UINT64_MAX);
  EXPECT_EQ(notice->sent, 900);
  const auto nobodys = ParseEndNotice(FormatEndNotice({std::nullopt, 0}));
  ASSERT_TRUE(nobodys);
  EXPECT_EQ(nobodys->run, std::nullopt);
}

TEST(EndNoticeTest, OtherTextIsNone) {
  for (const char* text : {"", "{}", "{\"sent\":-1}", "{\"sent\":\"5\"}",
                           "{\"sent\":5", "5", "{\"run\":\"5\"}"}) {
    EXPECT_FALSE(ParseEndNotice(text)) << text;
  }
}

}  // namespace
}  // namespace edgewise::mqtt
