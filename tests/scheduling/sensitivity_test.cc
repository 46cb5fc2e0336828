#include "scheduling/sensitivity.h"

#include <gtest/gtest.h>

#include "random_tasks.h"

namespace edgewise::scheduling {
namespace {

TEST(SensitivityTest, HalfLoadedMayDouble) {
  const auto tasks = Tasks({{1000, 4000, 4000}, {2000, 8000, 8000}});
  EXPECT_EQ(**LargestScalePermille(tasks, EdfTest({})), 2000);
  EXPECT_EQ(**SlackNs(tasks, 0, EdfTest({})), 2000);
  EXPECT_EQ(**SlackNs(tasks, 1, EdfTest({})), 4000);
}

TEST(SensitivityTest, TooMuchMustShrink) {
  const auto tasks = Tasks({{3000, 4000, 4000}, {4000, 8000, 8000}});
  EXPECT_EQ(**LargestScalePermille(tasks, EdfTest({})), 800);
  EXPECT_EQ(*SlackNs(tasks, 0, EdfTest({})), std::nullopt);
  EXPECT_EQ(*LargestScalePermille({}, EdfTest({})), std::nullopt);
  // A deadline that jitter uses up cannot be met by any execution time.
  EXPECT_EQ(*LargestScalePermille(Tasks({{1, 5, 9, 5}}), EdfTest({})),
            std::nullopt);
}

TEST(SensitivityTest, HugeTimesAreAnswersOrErrors) {
  const int64_t huge = kLongestNs;
  const auto scale =
      LargestScalePermille(Tasks({{1, huge, huge}}), EdfTest({}));
  EXPECT_TRUE(!scale.ok() || scale->has_value());
  EXPECT_EQ(**SlackNs(Tasks({{1, huge, huge}}), 0, EdfTest({})), huge - 1);
}

TEST(SensitivityTest, OneMoreWouldBreakTheProof) {
  stats::Random random(51);
  for (int i = 0; i < kManySets / 100; ++i) {
    auto tasks = RandomTasks({.most_load = 0.9}, &random);
    for (Task& task : tasks) {
      task.wcet_ns *= 1000;
      task.period_ns *= 1000;
      task.deadline_ns *= 1000;
    }
    const CoreTest test = i % 2 == 0 ? EdfTest({.preemptive = i % 4 == 0})
                                     : PriorityTest({.preemptive = i % 4 == 1});
    const auto scale = LargestScalePermille(tasks, test);
    ASSERT_TRUE(scale.ok());
    if (*scale) {
      const auto scaled = [&](int64_t permille) {
        auto copy = tasks;
        for (Task& task : copy) {
          task.wcet_ns = (task.wcet_ns * permille + 999) / 1000;
        }
        return copy;
      };
      ASSERT_TRUE(*test(scaled(**scale))) << Show(tasks);
      ASSERT_FALSE(*test(scaled(**scale + 1))) << Show(tasks);
      ASSERT_EQ(*test(tasks), **scale >= 1000);
    }
    const auto slack = SlackNs(tasks, 0, test);
    ASSERT_EQ(slack->has_value(), *test(tasks));
    if (!*slack) continue;
    tasks[0].wcet_ns += **slack;
    ASSERT_TRUE(*test(tasks)) << Show(tasks);
    ++tasks[0].wcet_ns;
    ASSERT_FALSE(*test(tasks)) << Show(tasks);
  }
}

}  // namespace
}  // namespace edgewise::scheduling
