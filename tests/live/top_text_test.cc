#include "live/top_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_snapshot.h"

namespace edgewise::live {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TopTextTest, ShowsAppsAndWhatIsWrongWithThem) {
  TextStyle style;
  style.width = 160;
  const std::string text = TopText(SampleSnapshot(), style);
  EXPECT_THAT(text, HasSubstr("cam \"1\"/0"));
  EXPECT_THAT(text, HasSubstr("2 ms"));
  EXPECT_THAT(text, HasSubstr("! cam \"1\"/0: p95 is too long"));
  // 100 samples are too few for a p99.
  EXPECT_THAT(text, HasSubstr("--"));
  EXPECT_THAT(text, Not(HasSubstr("container")));
}

TEST(TopTextTest, SaysWhatToDoWithoutApps) {
  EXPECT_THAT(TopText(AgentSnapshot{}, TextStyle{}),
              HasSubstr("No app is connected"));
}

TEST(TopStyleTest, SurvivesTheWayThroughTheSocket) {
  TextStyle style;
  style.width = 133;
  style.color = true;
  style.unicode = false;
  const TextStyle read = ParseTopStyle(TopStyleText(style));
  EXPECT_EQ(read.width, 133);
  EXPECT_TRUE(read.color);
  EXPECT_FALSE(read.unicode);
  EXPECT_EQ(ParseTopStyle("-5 rubbish").width, 40);
}

}  // namespace
}  // namespace edgewise::live
