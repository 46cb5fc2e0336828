#include "stacks/functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::stacks {
namespace {

// Adds stacks of functions by name, outermost first.
class Stacks {
 public:
  Stacks& Add(const std::vector<std::string>& names, int64_t count) {
    std::vector<int32_t> frames;
    for (const std::string& name : names) {
      Frame frame;
      frame.function = name;
      frame.kind = name.front() == '[' ? FrameKind::kMark : FrameKind::kNative;
      frames.push_back(builder_.AddFrame(frame));
    }
    builder_.Add(builder_.AddThread({1, 1, "app", "app"}), frames, count);
    return *this;
  }
  ProfileBuilder& builder() { return builder_; }
  StackProfile Take() { return builder_.Take(); }

 private:
  ProfileBuilder builder_;
};

TEST(FunctionsTest, SelfAndTotalAreShares) {
  const auto functions = RankFunctions(
      Stacks().Add({"main", "a"}, 70).Add({"main", "b"}, 30).Take());
  ASSERT_EQ(functions.size(), 3U);
  EXPECT_EQ(functions[0].name, "a");
  EXPECT_DOUBLE_EQ(functions[0].self_percent, 70);
  EXPECT_EQ(functions[1].name, "b");
  EXPECT_EQ(functions[2].name, "main");
  EXPECT_EQ(functions[2].self, 0);
  EXPECT_DOUBLE_EQ(functions[2].total_percent, 100);
}

TEST(FunctionsTest, RecursionCountsOnceInTotal) {
  const auto functions = RankFunctions(
      Stacks().Add({"f", "g", "f"}, 4).Add({"f", "f", "f", "g"}, 6).Take());
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_EQ(functions[0].name, "g");
  EXPECT_EQ(functions[0].self, 6);
  EXPECT_EQ(functions[0].total, 10);
  EXPECT_EQ(functions[1].self, 4);
  EXPECT_EQ(functions[1].total, 10);
}

TEST(FunctionsTest, LinesOfAFunctionAreOneFunction) {
  ProfileBuilder builder;
  const int32_t thread = builder.AddThread({});
  for (const int line : {12, 15}) {
    Frame frame;
    frame.function = "read";
    frame.file = "camera.py";
    frame.line = line;
    frame.first_line = 10;
    frame.kind = FrameKind::kPython;
    const int32_t id = builder.AddFrame(frame);
    builder.Add(thread, {&id, 1}, line);
  }
  const StackProfile profile = builder.Take();
  const auto functions = RankFunctions(profile);
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].self, 27);
  EXPECT_EQ(functions[0].first_line, 10);
  EXPECT_EQ(functions[0].file, "camera.py");
  const auto lines = HotLines(profile);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].line, 15);
  EXPECT_EQ(lines[0].self, 15);
}

TEST(FunctionsTest, PythonFunctionsOfTwoFilesAreTwo) {
  ProfileBuilder builder;
  const int32_t thread = builder.AddThread({});
  for (const char* file : {"a.py", "b.py"}) {
    Frame frame;
    frame.function = "main";
    frame.file = file;
    frame.kind = FrameKind::kPython;
    const int32_t id = builder.AddFrame(frame);
    builder.Add(thread, {&id, 1}, 1);
  }
  EXPECT_EQ(RankFunctions(builder.Take()).size(), 2U);
}

TEST(FunctionsTest, MarksCountInTheWholeButAreNoFunctions) {
  const auto functions =
      RankFunctions(Stacks().Add({"[truncated]", "a"}, 1).Add({}, 1).Take());
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_DOUBLE_EQ(functions[0].self_percent, 50);
}

TEST(FunctionsTest, IntervalsRestOnSamplesAndNotOnWeights) {
  Stacks stacks;
  stacks.Add({"a"}, 70'000'000).Add({"b"}, 30'000'000);
  stacks.builder().collection().samples = 100;
  stacks.builder().collection().unit = "ns";
  const auto functions = RankFunctions(stacks.Take());
  ASSERT_TRUE(functions[0].self_interval);
  EXPECT_NEAR(functions[0].self_interval->low, 60.4, 0.1);
  EXPECT_NEAR(functions[0].self_interval->high, 78.1, 0.1);
}

TEST(FunctionsTest, WithoutANumberOfSamplesThereIsNoInterval) {
  Stacks stacks;
  stacks.Add({"a"}, 70).builder().collection().unit = "bytes";
  const auto functions = RankFunctions(stacks.Take());
  EXPECT_FALSE(functions[0].self_interval);
  EXPECT_DOUBLE_EQ(functions[0].self_percent, 100);
}

TEST(FunctionsTest, AnEmptyProfileHasNone) {
  EXPECT_TRUE(RankFunctions({}).empty());
  EXPECT_TRUE(HotLines({}).empty());
}

TEST(FunctionsTest, AStackOfAMillionFramesIsNoTrouble) {
  const std::vector<std::string> deep(1'000'000, "f");
  const auto functions = RankFunctions(Stacks().Add(deep, 2).Take());
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].total, 2);
}

}  // namespace
}  // namespace edgewise::stacks
