#include "stress/stress_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::HasSubstr;

TEST(StressSpecTest, WithoutADialItIsFull) {
  const auto spec = ParseStressSpec("bandwidth");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(*spec, (StressSpec{StressKind::kBandwidth, 100}));
}

TEST(StressSpecTest, EveryKindIsReadBackAsItIsWritten) {
  for (const StressKind kind : kStressKinds) {
    const StressSpec spec{kind, 12.5};
    const auto read = ParseStressSpec(FormatStressSpec(spec));
    ASSERT_TRUE(read.ok()) << FormatStressSpec(spec);
    EXPECT_EQ(*read, spec);
  }
  EXPECT_EQ(FormatStressSpec({StressKind::kCache, 50}), "cache:50");
}

TEST(StressSpecTest, APercentSignIsFine) {
  const auto spec = ParseStressSpec("cpu:0%");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->dial_percent, 0);
}

TEST(StressSpecTest, AnUnknownKindListsThoseThereAre) {
  const auto spec = ParseStressSpec("gpu-thing:50");
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(spec.error().message, HasSubstr("choose from cpu, cache"));
}

TEST(StressSpecTest, ATypoIsPutRight) {
  const auto spec = ParseStressSpec("bandwith");
  ASSERT_FALSE(spec.ok());
  EXPECT_THAT(spec.error().message, HasSubstr("did you mean bandwidth?"));
}

TEST(StressSpecTest, DialsOutOfRangeAreRefused) {
  for (const char* text : {"cpu:101", "cpu:-1", "cpu:", "cpu:x", "cpu:nan",
                           "cpu:inf", "cpu:50:60", "cpu:1e9"}) {
    const auto spec = ParseStressSpec(text);
    ASSERT_FALSE(spec.ok()) << text;
    EXPECT_THAT(spec.error().message, HasSubstr("from 0 (idle) to 100"));
  }
}

}  // namespace
}  // namespace edgewise
