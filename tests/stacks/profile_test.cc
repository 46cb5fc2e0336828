#include "stacks/profile.h"

#include <gtest/gtest.h>

namespace edgewise::stacks {
namespace {

Frame Named(const std::string& function) {
  Frame frame;
  frame.function = function;
  return frame;
}

TEST(ProfileBuilderTest, EqualStacksShareNodesAndAddUp) {
  ProfileBuilder builder;
  const int32_t main = builder.AddFrame(Named("main"));
  const int32_t work = builder.AddFrame(Named("work"));
  EXPECT_EQ(builder.AddFrame(Named("main")), main);
  const int32_t thread = builder.AddThread({1, 1, "app", "app"});
  builder.Add(thread, std::vector<int32_t>{main, work}, 2);
  builder.Add(thread, std::vector<int32_t>{main, work}, 3);
  builder.Add(thread, std::vector<int32_t>{main}, 1);
  const StackProfile profile = builder.Take();
  EXPECT_TRUE(profile.Valid());
  EXPECT_EQ(profile.frames.size(), 2u);
  EXPECT_EQ(profile.nodes.size(), 2u);
  EXPECT_EQ(profile.counts.size(), 2u);
  EXPECT_EQ(profile.total(), 6);
}

TEST(ProfileBuilderTest, ThreadsAreCountedApart) {
  ProfileBuilder builder;
  const std::vector<int32_t> stack = {builder.AddFrame(Named("main"))};
  builder.Add(builder.AddThread({1, 1, "app", "a"}), stack, 1);
  builder.Add(builder.AddThread({1, 2, "app", "b"}), stack, 1);
  const StackProfile profile = builder.Take();
  EXPECT_EQ(profile.nodes.size(), 1u);
  EXPECT_EQ(profile.counts.size(), 2u);
}

TEST(ProfileBuilderTest, SampleWithoutFramesCounts) {
  ProfileBuilder builder;
  builder.Add(builder.AddThread({1, 1, "app", "app"}), {}, 4);
  const StackProfile profile = builder.Take();
  EXPECT_TRUE(profile.Valid());
  EXPECT_EQ(profile.total(), 4);
}

TEST(StackProfileTest, ParentsAfterTheirChildrenAreInvalid) {
  StackProfile profile;
  profile.frames.push_back(Named("main"));
  profile.nodes = {{1, 0}, {-1, 0}};
  EXPECT_FALSE(profile.Valid());
  profile.nodes = {{-1, 0}, {0, 0}};
  EXPECT_TRUE(profile.Valid());
  profile.nodes = {{-1, 1}};
  EXPECT_FALSE(profile.Valid());
}

}  // namespace
}  // namespace edgewise::stacks
