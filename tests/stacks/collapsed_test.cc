#include "stacks/collapsed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::stacks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<StackProfile> Read(std::string_view text,
                          CollapsedReadOptions options = {}) {
  CollapsedReader reader(std::move(options));
  reader.Feed(text);
  return reader.Finish();
}

std::string Written(const StackProfile& profile,
                    const CollapsedWriteOptions& options = {}) {
  std::string text;
  WriteCollapsed(profile, options,
                 [&](std::string_view line) { text += line; });
  return text;
}

Frame FrameOf(std::string name, FrameKind kind = FrameKind::kNative,
              bool inlined = false) {
  Frame frame;
  frame.function = std::move(name);
  frame.kind = kind;
  frame.inlined = inlined;
  return frame;
}

TEST(CollapsedTest, WhatWasReadIsWrittenAgain) {
  const std::string text =
      "app 3\napp;main 1\napp;main;f_[i] 2\napp;main;sys_read_[k] 40\n"
      "other;operator new(unsigned long) 7\n";
  EXPECT_EQ(Written(*Read(text)), text);
  EXPECT_EQ(Written(*Read(text, {.process_first = false})), text);
}

TEST(CollapsedTest, BlanksWithinNamesAreKept) {
  const std::string text = "app;  3\napp;a b;c  4\n";
  EXPECT_EQ(Written(*Read(text)), text);
}

TEST(CollapsedTest, EqualLinesAddUpAndLinesAreSorted) {
  EXPECT_EQ(Written(*Read("b;x 1\na;y 2\nb;x 4\n")), "a;y 2\nb;x 5\n");
}

TEST(CollapsedTest, TheFirstElementIsTheProcessUnlessToldOtherwise) {
  const auto with = Read("app;main 1\n");
  EXPECT_EQ(with->threads.front().process, "app");
  EXPECT_EQ(with->frames.size(), 1U);
  const auto without = Read("app;main 1\n", {.process_first = false});
  EXPECT_EQ(without->threads.front().process, "");
  EXPECT_EQ(without->frames.size(), 2U);
}

TEST(CollapsedTest, MarksTellKinds) {
  const auto profile = Read("app;a_[k];b_[j];c_[i];[unknown] 1\n");
  ASSERT_EQ(profile->frames.size(), 4U);
  EXPECT_EQ(profile->frames[0].kind, FrameKind::kKernel);
  EXPECT_EQ(profile->frames[1].kind, FrameKind::kJit);
  EXPECT_TRUE(profile->frames[2].inlined);
  EXPECT_EQ(profile->frames[3].kind, FrameKind::kMark);
}

TEST(CollapsedTest, MarksAreWrittenOnRequestAndOnce) {
  ProfileBuilder builder;
  const std::vector<int32_t> frames = {
      builder.AddFrame(FrameOf("k", FrameKind::kKernel)),
      builder.AddFrame(FrameOf("done_[k]", FrameKind::kKernel)),
      builder.AddFrame(FrameOf("j", FrameKind::kJit)),
      builder.AddFrame(FrameOf("i", FrameKind::kNative, true))};
  builder.Add(builder.AddThread({1, 1, "app", "app"}), frames, 1);
  const StackProfile profile = builder.Take();
  EXPECT_EQ(Written(profile), "app;k;done_[k];j;i 1\n");
  EXPECT_EQ(
      Written(profile,
              {.kernel_marks = true, .jit_marks = true, .inlined_marks = true}),
      "app;k_[k];done_[k];j_[j];i_[i] 1\n");
  EXPECT_EQ(Written(profile, {.process_first = false}), "k;done_[k];j;i 1\n");
}

TEST(CollapsedTest, NamesCannotBreakALine) {
  ProfileBuilder builder;
  const int32_t frame = builder.AddFrame(FrameOf("a;b\nc"));
  builder.Add(builder.AddThread({}), {&frame, 1}, 1);
  builder.Add(builder.AddThread({}), {}, 2);
  EXPECT_EQ(Written(builder.Take()), "[unknown] 2\na:b c 1\n");
}

TEST(CollapsedTest, LinesWithoutANumberAreToldAndLeftOut) {
  const auto profile = Read(
      "# comment\n\nmain;read 42\nmain;read\nmain 1.5\nmain -3\n 7\n"
      "main;write 8\r\n");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->total(), 50);
  EXPECT_THAT(profile->collection.notes, ElementsAre(HasSubstr("4 lines")));
}

TEST(CollapsedTest, WithoutStacksItIsAnError) {
  EXPECT_FALSE(Read(""));
  EXPECT_FALSE(Read("hello world\n"));
}

TEST(CollapsedTest, OtherUnitsAreNoSamples) {
  EXPECT_EQ(Read("a;b 100\n")->collection.samples, 100);
  const auto bytes = Read("a;b 100\n", {.unit = "bytes"});
  EXPECT_EQ(bytes->collection.samples, 0);
  EXPECT_EQ(bytes->collection.unit, "bytes");
}

TEST(CollapsedTest, CountsThatDoNotAddUpAreLeftOut) {
  const auto profile = Read("a 9223372036854775807\na 1\n");
  EXPECT_EQ(profile->total(), 9223372036854775807);
  EXPECT_THAT(profile->collection.notes, ElementsAre(HasSubstr("1 line ")));
}

}  // namespace
}  // namespace edgewise::stacks
