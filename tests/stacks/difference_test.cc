#include "stacks/difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace edgewise::stacks {
namespace {

using stats::Verdict;

StackProfile ProfileOf(
    const std::vector<std::pair<std::vector<std::string>, int64_t>>& stacks) {
  ProfileBuilder builder;
  const int32_t thread = builder.AddThread({1, 1, "app", "app"});
  for (const auto& [names, count] : stacks) {
    std::vector<int32_t> frames;
    for (const std::string& name : names) {
      Frame frame;
      frame.function = name;
      frames.push_back(builder.AddFrame(frame));
    }
    builder.Add(thread, frames, count);
    builder.collection().samples += count;
  }
  return builder.Take();
}

TEST(DifferenceTest, AClearChangeIsFoundWithItsInterval) {
  const auto changes =
      CompareFunctions(ProfileOf({{{"main", "a"}, 700}, {{"main", "b"}, 300}}),
                       ProfileOf({{{"main", "a"}, 500}, {{"main", "b"}, 500}}));
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[0].a.name, "a");
  EXPECT_DOUBLE_EQ(changes[0].self.points, -20);
  ASSERT_TRUE(changes[0].self.interval);
  EXPECT_LT(changes[0].self.interval->low, -20);
  EXPECT_GT(changes[0].self.interval->high, -20);
  EXPECT_LT(changes[0].self.interval->high, 0);
  EXPECT_EQ(changes[0].self.verdict, Verdict::kFaster);
  EXPECT_EQ(changes[1].self.verdict, Verdict::kSlower);
  EXPECT_EQ(changes[2].a.name, "main");
  EXPECT_EQ(changes[2].total.verdict, Verdict::kNoDifference);
}

StackProfile Timed(StackProfile profile, double rate_hz) {
  profile.collection.rate_hz = rate_hz;
  return profile;
}

TEST(DifferenceTest, OnlyWhatTakesMoreTimeIsSlower) {
  // `a` does twice the work; `b` has a smaller share for it, and the same time.
  const auto changes =
      CompareFunctions(Timed(ProfileOf({{{"a"}, 1000}, {{"b"}, 1000}}), 100),
                       Timed(ProfileOf({{{"a"}, 4000}, {{"b"}, 2000}}), 200));
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].a.name, "a");
  ASSERT_TRUE(changes[0].self.time);
  EXPECT_DOUBLE_EQ(changes[0].self.time->a_s, 10);
  EXPECT_DOUBLE_EQ(changes[0].self.time->b_s, 20);
  EXPECT_GT(changes[0].self.time->interval.low, 9);
  EXPECT_LT(changes[0].self.time->interval.high, 11);
  EXPECT_EQ(changes[0].self.verdict, Verdict::kSlower);
  EXPECT_LT(changes[1].self.points, -10);
  EXPECT_EQ(changes[1].self.verdict, Verdict::kNoDifference);
}

TEST(DifferenceTest, TimesOfSeveralRunsAreThoseOfOne) {
  StackProfile one = Timed(ProfileOf({{{"a"}, 1000}}), 100);
  StackProfile three = MergedProfile(std::vector<StackProfile>{one, one, one});
  const auto changes = CompareFunctions(one, three);
  ASSERT_TRUE(changes[0].self.time);
  EXPECT_DOUBLE_EQ(changes[0].self.time->b_s, 10);
  EXPECT_EQ(changes[0].self.verdict, Verdict::kNoDifference);
}

TEST(DifferenceTest, AnotherBuildHasTheSameFunctions) {
  const auto profile = [](const std::string& program,
                          const std::string& library) {
    ProfileBuilder builder;
    Frame main;
    main.function = "main";
    main.module = program;
    Frame read;
    read.function = "read";
    read.module = library;
    const std::vector<int32_t> frames = {builder.AddFrame(main),
                                         builder.AddFrame(read)};
    builder.Add(builder.AddThread({1, 1, "app", "app"}), frames, 100);
    builder.collection().samples = 100;
    return builder.Take();
  };
  EXPECT_EQ(CompareFunctions(profile("/old/app", "/lib/libc.so.6"),
                             profile("/new/app-2", "/usr/lib/libc.so.6"))
                .size(),
            2U);
  EXPECT_EQ(CompareFunctions(profile("/old/app", "/lib/libc.so.6"),
                             profile("/old/app", "/lib/libfast.so.1"))
                .size(),
            3U);
}

TEST(DifferenceTest, FunctionsOfOneSideOnlyAreCompared) {
  const auto changes = CompareFunctions(ProfileOf({{{"old"}, 100}}),
                                        ProfileOf({{{"new"}, 100}}));
  ASSERT_EQ(changes.size(), 2U);
  for (const FunctionChange& change : changes) {
    EXPECT_DOUBLE_EQ(std::abs(change.self.points), 100);
    EXPECT_EQ(change.a.name, change.b.name);
    EXPECT_EQ(change.self.verdict,
              change.a.name == "new" ? Verdict::kSlower : Verdict::kFaster);
  }
}

TEST(DifferenceTest, AmongManyEqualFunctionsRarelyOneIsBlamed) {
  std::mt19937_64 random(3);  // NOLINT: the same every time
  int experiments_with_a_finding = 0;
  constexpr int kExperiments = 200;
  for (int i = 0; i < kExperiments; ++i) {
    const auto draw = [&] {
      std::vector<std::pair<std::vector<std::string>, int64_t>> stacks;
      std::vector<int64_t> counts(40, 0);
      for (int sample = 0; sample < 2000; ++sample) {
        ++counts[random() % counts.size()];
      }
      for (size_t f = 0; f < counts.size(); ++f) {
        stacks.push_back({{"f" + std::to_string(f)}, counts[f]});
      }
      return ProfileOf(stacks);
    };
    const auto changes = CompareFunctions(draw(), draw());
    experiments_with_a_finding +=
        std::any_of(changes.begin(), changes.end(),
                    [](const FunctionChange& change) {
                      return change.self.verdict != Verdict::kNoDifference;
                    })
            ? 1
            : 0;
  }
  EXPECT_LE(experiments_with_a_finding, kExperiments * 8 / 100);
}

TEST(DifferenceTest, WithoutSamplesOnASideThereIsNothingToSay) {
  EXPECT_TRUE(CompareFunctions({}, ProfileOf({{{"a"}, 1}})).empty());
}

TEST(DifferenceTest, WithoutNumbersOfSamplesThereIsNoVerdict) {
  StackProfile a = ProfileOf({{{"a"}, 10}});
  a.collection.samples = 0;
  a.collection.unit = "bytes";
  const auto changes = CompareFunctions(a, ProfileOf({{{"b"}, 10}}));
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_FALSE(changes[0].self.interval);
  EXPECT_EQ(changes[0].self.verdict, Verdict::kInsufficient);
}

TEST(DifferenceTest, TheTreeHasBothCounts) {
  const DiffTree tree =
      MakeDiffTree(ProfileOf({{{"main", "a"}, 7}, {{"main"}, 1}}),
                   ProfileOf({{{"main", "b"}, 5}}), /*with_process=*/true);
  ASSERT_EQ(tree.nodes.size(), 4U);
  EXPECT_EQ(tree.nodes[0].name, "app");
  EXPECT_EQ(tree.nodes[1].name, "main");
  EXPECT_EQ(tree.nodes[1].count_a, 8);
  EXPECT_EQ(tree.nodes[1].count_b, 5);
  EXPECT_EQ(tree.nodes[2].name, "a");
  EXPECT_EQ(tree.nodes[2].parent, 1);
  EXPECT_EQ(tree.nodes[2].count_b, 0);
  EXPECT_EQ(tree.nodes[3].count_b, 5);
  EXPECT_EQ(tree.total_a, 8);
  EXPECT_EQ(MakeDiffTree({}, {}, false).nodes.size(), 0U);
}

TEST(MergedProfileTest, CountsAndNotesAddUp) {
  StackProfile profiles[] = {ProfileOf({{{"main", "a"}, 7}}),
                             ProfileOf({{{"main", "a"}, 2}, {{"x"}, 1}})};
  profiles[0].collection.notes = {"one", "two"};
  profiles[1].collection.notes = {"two", "three"};
  profiles[0].collection.rate_hz = 99.0;
  const StackProfile merged = MergedProfile(profiles);
  EXPECT_EQ(merged.total(), 10);
  EXPECT_EQ(merged.collection.samples, 10);
  EXPECT_EQ(merged.nodes.size(), 3U);
  EXPECT_FALSE(merged.collection.rate_hz);
  EXPECT_THAT(merged.collection.notes,
              ::testing::ElementsAre("one", "two", "three"));
}

}  // namespace
}  // namespace edgewise::stacks
