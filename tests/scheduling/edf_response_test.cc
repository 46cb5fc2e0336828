#include "scheduling/edf_response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "random_tasks.h"
#include "scheduling/edf.h"
#include "scheduling/simulate.h"

namespace edgewise::scheduling {
namespace {

using testing::ElementsAre;

TEST(EdfResponseTest, PublishedNonPreemptiveFigures) {
  EXPECT_THAT(*EdfResponses(
                  Tasks({{79, 100, 120}, {11, 100, 34}, {1, 100, 190}}), false),
              ElementsAre(91, 91, 91));
  EXPECT_THAT(*EdfResponses(
                  Tasks({{79, 50, 120}, {11, 100, 34}, {1, 120, 190}}), false),
              ElementsAre(89, 90, 121));
  EXPECT_THAT(*EdfResponses(Tasks({{5, 29, 20}, {10, 30, 20}}), false),
              ElementsAre(14, 15));
}

TEST(EdfResponseTest, ByHandPreemptive) {
  // The second waits for the first, the first never for the second.
  EXPECT_THAT(*EdfResponses(Tasks({{2, 4, 10}, {3, 10, 10}}), true),
              ElementsAre(2, 5));
  // Deadlines that tie count against a job: 2 + 3 either way.
  EXPECT_THAT(*EdfResponses(Tasks({{2, 10, 10}, {3, 10, 10}}), true),
              ElementsAre(5, 5));
}

TEST(EdfResponseTest, NothingToAnswer) {
  EXPECT_TRUE(EdfResponses({}, true)->empty());
  EXPECT_THAT(*EdfResponses(Tasks({{3, 5, 10, 2}}), true), ElementsAre(5));
  EXPECT_THAT(*EdfResponses(Tasks({{3, 3, 4}, {3, 4, 4}}), true),
              ElementsAre(std::nullopt, std::nullopt));
}

TEST(EdfResponseTest, FullLoadWithJitterHasBounds) {
  // The busy period never ends, yet responses repeat.
  EXPECT_THAT(
      *EdfResponses(Tasks({{2, 4, 4}, {2, 4, 4, 1}}), true),
      ElementsAre(testing::Ne(std::nullopt), testing::Ne(std::nullopt)));
}

TEST(EdfResponseTest, HugeTimesAreAnswersOrErrors) {
  const int64_t huge = kLongestNs;
  for (const bool preemptive : {true, false}) {
    const auto one =
        EdfResponses(Tasks({{huge, huge, huge, huge}}), preemptive);
    EXPECT_FALSE(one.ok());
    EXPECT_THAT(*EdfResponses(Tasks({{huge, huge, huge}}), preemptive),
                ElementsAre(huge));
    const auto many = EdfResponses(
        Tasks({{huge / 3, huge, huge, huge}, {huge / 3, huge, huge, huge}}),
        preemptive);
    EXPECT_TRUE(!many.ok() || (*many)[0].has_value());
  }
}

TEST(EdfResponseTest, AnAnalysisThatWouldTakeForEverSaysSo) {
  const int64_t year = int64_t{365} * 24 * 3600 * 1'000'000'000;
  const auto bounds =
      EdfResponses(Tasks({{1, 2, 2}, {year / 4, year, year}}), true);
  ASSERT_FALSE(bounds.ok());
  EXPECT_EQ(bounds.error().code, ErrorCode::kUnsupported);
}

// Exhaustive: every combination of offsets, with the task that is looked at
// last in ties. The longest response of all histories is the bound.
TEST(EdfResponseTest, SomeOffsetsReachTheBound) {
  stats::Random random(5);
  const int sets = kManySets / 100;
  for (int i = 0; i < sets; ++i) {
    auto tasks = RandomTasks(
        {.most_tasks = 3, .most_period = 6, .most_load = 1.0}, &random);
    if (IsOverloaded(tasks)) continue;
    const int64_t until = 3 * Hyperperiod(tasks) + 20;
    for (const bool preemptive : {true, false}) {
      const auto bounds = EdfResponses(tasks, preemptive);
      ASSERT_TRUE(bounds.ok());
      auto order = tasks;
      int64_t longest = 0;
      std::vector<int64_t> offsets(tasks.size(), 0);
      while (true) {
        const auto jobs = [&](size_t task, int64_t job) -> SimulatedJob {
          return {offsets[task] + job * order[task].period_ns, 0,
                  order[task].wcet_ns};
        };
        const auto simulation = Simulate(
            order,
            {.policy = preemptive ? Policy::kEdf : Policy::kNonPreemptiveEdf,
             .until_ns = until,
             .jobs = jobs,
             .most_slices = 0});
        longest = std::max(longest,
                           simulation->longest_response_ns.back().value_or(0));
        size_t at = 0;
        while (at < offsets.size() &&
               ++offsets[at] == 2 * order[at].period_ns) {
          offsets[at++] = 0;
        }
        if (at == offsets.size()) break;
      }
      ASSERT_EQ(longest, *bounds->back()) << Show(tasks) << preemptive;
    }
  }
}

TEST(EdfResponseTest, NoHistoryExceedsTheBound) {
  stats::Random random(6);
  int reached = 0;
  int tried = 0;
  for (int i = 0; i < kManySets; ++i) {
    const auto tasks =
        RandomTasks({.most_load = 1, .jitter = i % 2 == 0}, &random);
    if (IsOverloaded(tasks)) continue;
    const bool preemptive = i % 4 < 2;
    const auto bounds = EdfResponses(tasks, preemptive);
    ASSERT_TRUE(bounds.ok()) << Show(tasks);
    const auto simulation = Simulate(
        tasks, {.policy = preemptive ? Policy::kEdf : Policy::kNonPreemptiveEdf,
                .until_ns = 200,
                .jobs = RandomHistory(tasks, random.Next()),
                .most_slices = 0});
    for (size_t j = 0; j < tasks.size(); ++j) {
      const auto seen = simulation->longest_response_ns[j];
      ASSERT_LE(seen.value_or(0), *(*bounds)[j]) << Show(tasks) << preemptive;
      reached += seen == (*bounds)[j];
      ++tried;
    }
    // The test of demand and the responses are two proofs of one thing.
    if (preemptive) {
      ASSERT_EQ(AllMeetDeadlines(tasks, *bounds), *IsEdfSchedulable(tasks))
          << Show(tasks);
    } else {
      ASSERT_EQ(AllMeetDeadlines(tasks, *bounds),
                *IsEdfSchedulable(tasks, {false, {}}))
          << Show(tasks);
    }
  }
  EXPECT_GT(reached, tried / 4);
}

}  // namespace
}  // namespace edgewise::scheduling
