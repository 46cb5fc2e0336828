#include "experiments/knob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(KnobTest, HasANameAndValues) {
  const auto knob = ParseKnob("model=mobilenetv2, resnet18");
  ASSERT_TRUE(knob.ok());
  EXPECT_EQ(knob->name, "model");
  EXPECT_THAT(knob->values, ElementsAre("mobilenetv2", "resnet18"));
}

TEST(KnobTest, NonsenseIsRefusedWithWhatToWrite) {
  for (const char* text : {"", "model", "=1,2", "2x=1", "a b=1", "a/b=1"}) {
    const auto knob = ParseKnob(text);
    ASSERT_FALSE(knob.ok()) << text;
    EXPECT_THAT(knob.error().message, HasSubstr("NAME=value")) << text;
  }
  for (const char* text : {"a=", "a=1,,2", "a=1,"}) {
    const auto knob = ParseKnob(text);
    ASSERT_FALSE(knob.ok()) << text;
    EXPECT_THAT(knob.error().message, HasSubstr("empty value")) << text;
  }
  EXPECT_THAT(ParseKnob("a=1,2,1").error().message, HasSubstr("twice"));
}

TEST(KnobTest, NamesThatHaveAFlagAreSentThere) {
  EXPECT_THAT(ParseKnob("threads=1,2").error().message,
              HasSubstr("use --threads"));
}

TEST(KnobTest, AllCombinationsTurnTheLastKnobFastest) {
  const auto all = AllSettings({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}});
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(FormatSetting(all[0]), "a=1 b=x");
  EXPECT_EQ(FormatSetting(all[1]), "a=1 b=y");
  EXPECT_EQ(FormatSetting(all[5]), "a=2 b=z");
  EXPECT_EQ(AllSettings({}).size(), 1U);
}

TEST(KnobTest, SettingsSurviveBeingWrittenDown) {
  const KnobSetting setting{{"cpus", "0,2-3"}, {"text", "it's a \"b\" = c"}};
  const auto back = ParseSetting(FormatSetting(setting));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, setting);
  EXPECT_FALSE(ParseSetting("a").ok());
  EXPECT_FALSE(ParseSetting("=1").ok());
  EXPECT_FALSE(ParseSetting("a='1").ok());
}

TEST(KnobTest, ValuesGoWhereTheirNamesStand) {
  const KnobSetting setting{{"n", "4"}, {"m", "{n}"}};
  EXPECT_EQ(Substitute("--threads={n}", setting), "--threads=4");
  EXPECT_EQ(Substitute("{n}{n}-{m}", setting), "44-{n}");
  EXPECT_EQ(Substitute("{\"x\": {n}} {other} {", setting),
            "{\"x\": 4} {other} {");
  EXPECT_EQ(Substitute("", setting), "");
}

TEST(KnobTest, ASettingKnowsItsParts) {
  const KnobSetting setting{{"a", "1"}, {"b", "2"}};
  EXPECT_EQ(ValueOf(setting, "b"), "2");
  EXPECT_EQ(ValueOf(setting, "c"), "");
  EXPECT_EQ(FormatSetting(Without(setting, "a")), "b=2");
}

}  // namespace
}  // namespace edgewise
