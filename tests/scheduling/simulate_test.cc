#include "scheduling/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_tasks.h"

namespace edgewise::scheduling {
namespace {

using testing::ElementsAre;

TEST(SimulateTest, TheEarlierDeadlinePreempts) {
  const auto tasks = Tasks({{1, 2, 4}, {4, 8, 8}});
  const auto simulation = Simulate(tasks, {.until_ns = 8});
  EXPECT_THAT(simulation->slices,
              ElementsAre(Slice{0, 0, 0, 0, 1}, Slice{1, 0, 0, 1, 4},
                          Slice{0, 1, 0, 4, 5}, Slice{1, 0, 0, 5, 6}));
  EXPECT_EQ(simulation->longest_response_ns[1], 6);
  EXPECT_EQ(simulation->missed, 0);
}

TEST(SimulateTest, WithoutPreemptionAJobRunsToItsEnd) {
  const auto tasks = Tasks({{1, 2, 4}, {5, 8, 8}});
  const auto simulation =
      Simulate(tasks, {.policy = Policy::kNonPreemptiveEdf, .until_ns = 8});
  EXPECT_THAT(simulation->slices,
              ElementsAre(Slice{0, 0, 0, 0, 1}, Slice{1, 0, 0, 1, 6},
                          Slice{0, 1, 0, 6, 7}));
  EXPECT_EQ(simulation->missed, 1);
  EXPECT_EQ(simulation->first_missed->deadline_ns, 6);
}

TEST(SimulateTest, PrioritiesAreTheOrderOfTheList) {
  const auto tasks = Tasks({{3, 9, 9}, {1, 2, 9}});
  const auto simulation =
      Simulate(tasks, {.policy = Policy::kFixedPriority, .until_ns = 9});
  EXPECT_THAT(simulation->slices,
              ElementsAre(Slice{0, 0, 0, 0, 3}, Slice{1, 0, 0, 3, 4}));
  EXPECT_EQ(simulation->missed, 1);
}

TEST(SimulateTest, SeveralCoresRunSeveralJobs) {
  const auto tasks = Tasks({{2, 5, 5}, {3, 5, 5}, {2, 5, 5}});
  const auto simulation = Simulate(tasks, {.cores = 2, .until_ns = 5});
  EXPECT_THAT(simulation->slices,
              ElementsAre(Slice{0, 0, 0, 0, 2}, Slice{1, 0, 1, 0, 3},
                          Slice{2, 0, 0, 2, 4}));
}

TEST(SimulateTest, ASupplyMakesTheCoreStandStill) {
  const auto tasks = Tasks({{3, 20, 20}});
  const auto simulation =
      Simulate(tasks, {.until_ns = 20, .supply = *QuotaSupply(2, 5)});
  EXPECT_THAT(simulation->slices,
              ElementsAre(Slice{0, 0, 0, 6, 8}, Slice{0, 0, 0, 11, 12}));
}

TEST(SimulateTest, DelaysCountFromTheArrival) {
  const auto tasks = Tasks({{2, 4, 10}});
  const auto jobs = [](size_t, int64_t job) -> SimulatedJob {
    return {3 + 10 * job, 4, 2};
  };
  const auto simulation = Simulate(tasks, {.until_ns = 12, .jobs = jobs});
  EXPECT_THAT(simulation->slices, ElementsAre(Slice{0, 0, 0, 7, 9}));
  EXPECT_EQ(simulation->longest_response_ns[0], 6);
  EXPECT_EQ(simulation->first_missed->deadline_ns, 7);
}

TEST(SimulateTest, AJobNotDoneByTheEndCountsIfItWasDue) {
  const auto due = Simulate(Tasks({{6, 5, 9}}), {.until_ns = 5});
  EXPECT_EQ(due->missed, 1);
  const auto not_yet = Simulate(Tasks({{6, 5, 9}}), {.until_ns = 4});
  EXPECT_EQ(not_yet->missed, 0);
  EXPECT_EQ(not_yet->longest_response_ns[0], std::nullopt);
}

TEST(SimulateTest, LimitsAreKept) {
  const auto tasks = Tasks({{1, 2, 2}});
  const auto few = Simulate(tasks, {.until_ns = 100, .most_slices = 3});
  EXPECT_EQ(few->slices.size(), 3u);
  EXPECT_FALSE(few->all_slices);
  EXPECT_EQ(few->end_ns, 100);
  const auto early =
      Simulate(tasks, {.until_ns = kLongestNs, .most_events = 10});
  EXPECT_LT(early->end_ns, 100);
  EXPECT_FALSE(Simulate(tasks, {.cores = 0}).ok());
  // Arrivals beyond 64 bits never come.
  EXPECT_EQ(
      Simulate(Tasks({{1, kLongestNs, kLongestNs}}), {.until_ns = INT64_MAX})
          ->slices.size(),
      2u);
}

}  // namespace
}  // namespace edgewise::scheduling
