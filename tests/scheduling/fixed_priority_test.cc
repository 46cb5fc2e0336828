#include "scheduling/fixed_priority.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "random_tasks.h"
#include "scheduling/edf.h"
#include "scheduling/priority_order.h"
#include "scheduling/simulate.h"

namespace edgewise::scheduling {
namespace {

using testing::ElementsAre;

TEST(FixedPriorityTest, TextbookResponses) {
  // 3; 3 + 3; 5 + 3 of the first thrice + 3 of the second twice = 20.
  EXPECT_THAT(*PriorityResponses(Tasks({{3, 7, 7}, {3, 12, 12}, {5, 20, 20}})),
              ElementsAre(3, 6, 20));
}

// Lehoczky's example: the fifth job of the busy window is the latest.
TEST(FixedPriorityTest, ALaterJobMayBeTheLatest) {
  EXPECT_THAT(*PriorityResponses(Tasks({{26, 26, 70}, {62, 118, 100}})),
              ElementsAre(26, 118));
}

// Of Davis, Burns, Bril and Lukkien (2007): the analysis for CAN that looked
// at the first job alone was wrong here.
TEST(FixedPriorityTest, WithoutPreemptionALaterJobMayBeTheLatest) {
  EXPECT_THAT(
      *PriorityResponses(
          Tasks({{1000, 2500, 2500}, {1000, 3250, 3500}, {1000, 3250, 3500}}),
          {.preemptive = false}),
      ElementsAre(1999, 2999, 3500));
}

TEST(FixedPriorityTest, BlockingAndJitterAdd) {
  EXPECT_THAT(*PriorityResponses(Tasks({{3, 10, 10, 2}, {4, 20, 20}}),
                                 {.blocking_ns = 5}),
              ElementsAre(10, 15));
}

TEST(FixedPriorityTest, OverloadedLevelsHaveNoBound) {
  EXPECT_THAT(*PriorityResponses(Tasks({{2, 4, 4}, {3, 4, 4}, {1, 9, 9}})),
              ElementsAre(2, std::nullopt, std::nullopt));
}

// The busy window never ends. Blocked until 3, the first runs until 7, the
// second from 7 to 8 and from 10 to 11.
TEST(FixedPriorityTest, FullLoadWithBlockingHasABound) {
  EXPECT_THAT(
      *PriorityResponses(Tasks({{2, 4, 4}, {2, 4, 4}}), {.blocking_ns = 3}),
      ElementsAre(5, 11));
}

TEST(FixedPriorityTest, BadInputIsRefusedAndHugeTimesAreErrors) {
  EXPECT_FALSE(PriorityResponses(Tasks({{0, 1, 1}})).ok());
  EXPECT_FALSE(PriorityResponses(Tasks({{1, 1, 1}}), {.blocking_ns = -1}).ok());
  const int64_t huge = kLongestNs;
  EXPECT_FALSE(PriorityResponses(Tasks({{huge, huge, huge, huge}})).ok());
  for (const bool preemptive : {true, false}) {
    const auto bounds = PriorityResponses(
        Tasks({{huge / 2, huge, huge}, {huge / 2, huge, huge}}),
        {preemptive, huge});
    EXPECT_TRUE(!bounds.ok() || bounds->front().has_value());
  }
  EXPECT_TRUE(PriorityResponses({})->empty());
}

// Released together, after the longest job of lower priority has just started.
TEST(FixedPriorityTest, TheWorstHistoryReachesTheBound) {
  stats::Random random(11);
  for (int i = 0; i < kManySets; ++i) {
    const auto tasks =
        RandomTasks({.most_load = 1, .jitter = i % 2 == 0}, &random);
    if (IsOverloaded(tasks)) continue;
    const bool preemptive = i % 4 < 2;
    const auto bounds = PriorityResponses(tasks, {.preemptive = preemptive});
    ASSERT_TRUE(bounds.ok()) << Show(tasks);
    const size_t own = random.Below(tasks.size());
    size_t blocker = own;
    int64_t longest = 1;  // a tick is no blocking
    for (size_t j = own + 1; j < tasks.size(); ++j) {
      if (tasks[j].wcet_ns > longest) {
        longest = tasks[j].wcet_ns;
        blocker = j;
      }
    }
    const bool blocked = blocker != own && !preemptive;
    const auto jobs = [&](size_t task, int64_t job) -> SimulatedJob {
      const Task& t = tasks[task];
      if (task > own) {
        const bool blocks = blocked && task == blocker && job == 0;
        return {blocks ? 99 : 1'000'000 + job, 0, t.wcet_ns};
      }
      return {
          100 - t.jitter_ns + job * t.period_ns,
          job * t.period_ns < t.jitter_ns ? t.jitter_ns - job * t.period_ns : 0,
          t.wcet_ns};
    };
    const auto simulation = Simulate(
        tasks, {.policy = preemptive ? Policy::kFixedPriority
                                     : Policy::kNonPreemptiveFixedPriority,
                .until_ns = 100 + 2 * Hyperperiod(tasks) + 50,
                .jobs = jobs,
                .most_slices = 0});
    ASSERT_EQ(simulation->longest_response_ns[own], (*bounds)[own])
        << Show(tasks) << own << preemptive;
  }
}

TEST(FixedPriorityTest, NoHistoryExceedsTheBound) {
  stats::Random random(12);
  for (int i = 0; i < kManySets; ++i) {
    const auto tasks =
        RandomTasks({.most_load = 1, .jitter = i % 2 == 0}, &random);
    if (IsOverloaded(tasks)) continue;
    const bool preemptive = i % 4 < 2;
    const auto bounds = PriorityResponses(tasks, {.preemptive = preemptive});
    ASSERT_TRUE(bounds.ok()) << Show(tasks);
    const auto simulation = Simulate(
        tasks, {.policy = preemptive ? Policy::kFixedPriority
                                     : Policy::kNonPreemptiveFixedPriority,
                .until_ns = 200,
                .jobs = RandomHistory(tasks, random.Next()),
                .most_slices = 0});
    for (size_t j = 0; j < tasks.size(); ++j) {
      ASSERT_LE(simulation->longest_response_ns[j].value_or(0), *(*bounds)[j])
          << Show(tasks) << preemptive;
    }
  }
}

bool AnyOrderWorks(const std::vector<Task>& tasks, const PriorityRules& rules) {
  PriorityOrder order(tasks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  do {
    const auto sorted = InOrder(tasks, order);
    if (AllMeetDeadlines(sorted, *PriorityResponses(sorted, rules))) {
      return true;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

TEST(PriorityOrderTest, OptimalIsFoundWheneverThereIsOne) {
  stats::Random random(13);
  int only_optimal = 0;
  for (int i = 0; i < kManySets / 10; ++i) {
    const auto tasks = RandomTasks(
        {.least_load = 0.7, .most_load = 1, .jitter = i % 2 == 0}, &random);
    const PriorityRules rules{.preemptive = i % 4 < 2,
                              .blocking_ns = i % 8 == 7 ? 1 : 0};
    const auto order = OptimalPriorities(tasks, rules);
    ASSERT_TRUE(order.ok());
    ASSERT_EQ(order->has_value(), AnyOrderWorks(tasks, rules)) << Show(tasks);
    if (!*order) continue;
    const auto sorted = InOrder(tasks, **order);
    ASSERT_TRUE(AllMeetDeadlines(sorted, *PriorityResponses(sorted, rules)));
    const auto monotonic = InOrder(tasks, DeadlineMonotonic(tasks));
    only_optimal +=
        !AllMeetDeadlines(monotonic, *PriorityResponses(monotonic, rules));
  }
  EXPECT_GT(only_optimal, 0);
}

TEST(PriorityOrderTest, DeadlineMonotonicIsOptimalForConstrainedDeadlines) {
  stats::Random random(14);
  for (int i = 0; i < kManySets / 10; ++i) {
    const auto tasks = RandomTasks(
        {.most_load = 1, .deadlines = Deadlines::kConstrained}, &random);
    const auto monotonic = InOrder(tasks, DeadlineMonotonic(tasks));
    ASSERT_EQ(OptimalPriorities(tasks)->has_value(),
              AllMeetDeadlines(monotonic, *PriorityResponses(monotonic)))
        << Show(tasks);
    if (OptimalPriorities(tasks)->has_value()) {
      ASSERT_TRUE(*IsEdfSchedulable(tasks)) << Show(tasks);
    }
  }
}

}  // namespace
}  // namespace edgewise::scheduling
