#include "scheduling/global_edf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_tasks.h"
#include "scheduling/simulate.h"

namespace edgewise::scheduling {
namespace {

using testing::ElementsAre;

TEST(GlobalEdfTest, TheLimitItselfIsProven) {
  // 2 - 0.5 = 1.5 of load with tasks of one half.
  const auto three = Tasks({{1, 2, 2}, {2, 4, 4}, {3, 6, 6}});
  EXPECT_EQ(AnalyseGlobalEdf(three, 2)->gfb, GlobalVerdict::kSchedulable);
  EXPECT_EQ(AnalyseGlobalEdf(three, 2)->density, GlobalVerdict::kSchedulable);
  const auto four = Tasks({{1, 2, 2}, {2, 4, 4}, {3, 6, 6}, {1, 100, 100}});
  EXPECT_EQ(AnalyseGlobalEdf(four, 2)->gfb, GlobalVerdict::kOpen);
}

TEST(GlobalEdfTest, ShortDeadlinesNeedTheDensity) {
  const auto tasks = Tasks({{1, 4, 10}, {1, 4, 10}});
  EXPECT_EQ(AnalyseGlobalEdf(tasks, 2)->gfb, GlobalVerdict::kOpen);
  EXPECT_EQ(AnalyseGlobalEdf(tasks, 2)->density, GlobalVerdict::kSchedulable);
}

TEST(GlobalEdfTest, TooMuchIsSaid) {
  EXPECT_EQ(AnalyseGlobalEdf(Tasks({{2, 2, 2}, {2, 2, 2}, {1, 9, 9}}), 2)->gfb,
            GlobalVerdict::kOverloaded);
  EXPECT_EQ(AnalyseGlobalEdf(Tasks({{3, 2, 9}}), 2)->density,
            GlobalVerdict::kOverloaded);
  EXPECT_FALSE(AnalyseGlobalEdf({}, 0).ok());
  EXPECT_EQ(AnalyseGlobalEdf({}, 1)->gfb, GlobalVerdict::kSchedulable);
}

TEST(GlobalEdfTest, TardinessByHand) {
  // Two cores: x = (4 - 2) / 2 = 1.
  EXPECT_THAT(**TardinessBounds(Tasks({{4, 6, 6}, {4, 6, 6}, {2, 6, 6}}), 2),
              ElementsAre(5, 5, 3));
  EXPECT_THAT(**TardinessBounds(Tasks({{4, 6, 6}}), 1), ElementsAre(0));
  EXPECT_EQ(*TardinessBounds(Tasks({{4, 5, 6}}), 2), std::nullopt);
  EXPECT_EQ(*TardinessBounds(Tasks({{6, 6, 6}, {6, 6, 6}, {1, 6, 6}}), 2),
            std::nullopt);
}

TEST(GlobalEdfTest, NoHistoryMissesADeadlineThatWasProven) {
  stats::Random random(41);
  int proven = 0;
  for (int i = 0; i < kManySets; ++i) {
    const int cores = 1 + static_cast<int>(random.Below(3));
    const auto tasks = RandomTasks(
        {.most_tasks = 6,
         .least_load = 0.3 * cores,
         .most_load = 0.9 * cores,
         .deadlines = i % 2 == 0 ? Deadlines::kImplicit : Deadlines::kArbitrary,
         .jitter = i % 4 == 3},
        &random);
    const auto verdict = AnalyseGlobalEdf(tasks, cores);
    if (verdict->gfb != GlobalVerdict::kSchedulable &&
        verdict->density != GlobalVerdict::kSchedulable) {
      continue;
    }
    ++proven;
    const auto simulation =
        Simulate(tasks, {.cores = cores,
                         .until_ns = 150,
                         .jobs = RandomHistory(tasks, random.Next()),
                         .most_slices = 0});
    ASSERT_EQ(simulation->missed, 0) << Show(tasks) << cores;
  }
  EXPECT_GT(proven, kManySets / 10);
}

TEST(GlobalEdfTest, NoHistoryIsLaterThanTheTardinessBound) {
  stats::Random random(42);
  int late = 0;
  for (int i = 0; i < kManySets; ++i) {
    const int cores = 2 + static_cast<int>(random.Below(3));
    const auto tasks = RandomTasks({.most_tasks = 7,
                                    .least_load = 0.8 * cores,
                                    .most_load = 1.0 * cores,
                                    .deadlines = Deadlines::kImplicit,
                                    .least_tasks = cores + 1},
                                   &random);
    const auto bounds = TardinessBounds(tasks, cores);
    ASSERT_TRUE(bounds.ok());
    if (!*bounds) continue;
    const auto simulation =
        Simulate(tasks, {.cores = cores,
                         .until_ns = 200,
                         .jobs = RandomHistory(tasks, random.Next()),
                         .most_slices = 0});
    late += simulation->missed > 0;
    for (size_t j = 0; j < tasks.size(); ++j) {
      ASSERT_LE(simulation->longest_response_ns[j].value_or(0),
                tasks[j].deadline_ns + (**bounds)[j])
          << Show(tasks) << cores;
    }
  }
  EXPECT_GT(late, kManySets / 100);
}

}  // namespace
}  // namespace edgewise::scheduling
