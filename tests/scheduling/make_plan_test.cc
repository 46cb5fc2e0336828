#include "scheduling/make_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plan_wishes.h"
#include "scheduling/core_rules.h"

namespace edgewise::scheduling {
namespace {

using testing::HasSubstr;

TEST(MakePlanTest, ThreeTasksGetTheirCoresBoundsAndSlack) {
  const auto answer = Answer(Request(
      {Wish("a", 5, 20), Wish("b", 12, 50), Wish("c", 30, 100)}, {0, 1}));
  ASSERT_TRUE(answer.found) << answer.statement;
  ASSERT_EQ(answer.plan.cores.size(), 2);
  // The long one would block the short deadline.
  EXPECT_NE(answer.plan.tasks[0].cores, answer.plan.tasks[2].cores);
  for (const PlannedTask& task : answer.plan.tasks) {
    ASSERT_EQ(task.cores.size(), 1) << task.name;
    ASSERT_TRUE(task.response_bound_ns) << task.name;
    EXPECT_LE(*task.response_bound_ns, task.deadline_ns) << task.name;
    EXPECT_EQ(*task.slack_ns, task.deadline_ns - *task.response_bound_ns);
  }
  // a is alone; c may start just before b is released.
  EXPECT_EQ(answer.plan.tasks[0].response_bound_ns, 5 * kMs);
  EXPECT_EQ(answer.plan.tasks[1].response_bound_ns, 42 * kMs - 1);
  EXPECT_EQ(answer.plan.tasks[2].response_bound_ns, 42 * kMs);
}

TEST(MakePlanTest, OfSeveralPartitionsTheRoomierIsTaken) {
  // By load alone a and b would share a core and have nothing to spare.
  PlanRequest request = Request(
      {Wish("a", 5.5, 20), Wish("b", 12.5, 50), Wish("c", 30.5, 100)}, {0, 1});
  request.rules.reserve_permille = 100;
  const auto least = [](const PlanAnswer& answer) {
    double growth = 1e9;
    for (const PlannedCore& core : answer.plan.cores) {
      growth = std::min(growth, core.proof.growth.value());
    }
    return growth;
  };
  const auto roomy = Answer(request);
  request.most_room = false;
  EXPECT_GT(least(roomy), least(Answer(request)));
  // No other partition has more: all eight are tried.
  double most = 0;
  for (int which = 0; which < 8; ++which) {
    PlanRequest pinned = request;
    for (int i = 0; i < 3; ++i) {
      pinned.tasks[static_cast<size_t>(i)].allowed_cores = {which >> i & 1};
    }
    const auto answer = Answer(pinned);
    most = answer.found ? std::max(most, least(answer)) : most;
  }
  EXPECT_EQ(least(roomy), most);
}

TEST(MakePlanTest, WhatIsCalledSpareMayBeSpentAndNoMore) {
  PlanRequest request = Request({Wish("a", 5, 20), Wish("b", 12, 50)}, {0});
  const auto answer = Answer(request);
  ASSERT_TRUE(answer.found);
  const int64_t spare_ns = answer.plan.tasks[1].wcet_slack_ns.value();
  request.tasks[1].task.wcet_ns += spare_ns;
  EXPECT_TRUE(Answer(request).found);
  request.tasks[1].task.wcet_ns += 1;
  EXPECT_FALSE(Answer(request).found);
}

TEST(MakePlanTest, AllMayGrowByTheStatedFactorAndNoMore) {
  const auto grown = [](double factor) {
    return Answer(
               Request({Wish("a", 4 * factor, 20), Wish("b", 10 * factor, 50)},
                       {0}))
        .found;
  };
  const auto answer =
      Answer(Request({Wish("a", 4, 20), Wish("b", 10, 50)}, {0}));
  const double growth = answer.plan.cores.at(0).proof.growth.value();
  EXPECT_GT(growth, 1);
  EXPECT_TRUE(grown(growth));
  EXPECT_FALSE(grown(growth + 0.002));
}

TEST(MakePlanTest, TheReserveIsTakenFromEachCore) {
  PlanRequest request = Request({Wish("a", 18, 20)}, {0});
  request.rules.reserve_permille = 100;
  const auto answer = Answer(request);
  ASSERT_TRUE(answer.found);
  EXPECT_EQ(answer.plan.tasks[0].response_bound_ns, 20 * kMs);
  EXPECT_EQ(answer.plan.reserve, 0.1);
  request.tasks[0].task.wcet_ns += 1;
  const auto none = Answer(request);
  EXPECT_FALSE(none.found);
  EXPECT_TRUE(none.certain);
  EXPECT_THAT(none.plan.cores.at(0).proof.witness, HasSubstr("Within some"));
}

TEST(MakePlanTest, OverheadsAreAddedToTheBound) {
  PlanRequest request = Request({Wish("a", 10, 20)}, {0});
  request.rules.overheads = {.per_job_ns = kMs, .latency_ns = 2 * kMs};
  EXPECT_EQ(Answer(request).plan.tasks[0].response_bound_ns, 13 * kMs);
}

TEST(MakePlanTest, RealTimeLoadThatTheKernelWouldStopIsNoPlan) {
  PlanRequest request = Request({Wish("a", 96, 100)}, {0});
  const auto answer = Answer(request);
  EXPECT_FALSE(answer.found);
  EXPECT_THAT(answer.plan.cores.at(0).proof.witness,
              HasSubstr("the kernel stops real-time policies"));
  request.rules.throttling.reset();
  EXPECT_TRUE(Answer(request).found);
  request = Request({Wish("a", 96, 100)}, {0}, Executor::kOther);
  EXPECT_TRUE(Answer(request).found) << "the ordinary policy is not throttled";
}

TEST(MakePlanTest, ATaskThatNeedsWholeCoresHasThemForItself) {
  PlanRequest request = Request(
      {Wish("wide", 10, 100), Wish("a", 5, 20), Wish("b", 5, 20)}, {0, 1, 2});
  request.tasks[0].whole_cores = 2;
  const auto answer = Answer(request);
  ASSERT_TRUE(answer.found);
  EXPECT_EQ(answer.plan.tasks[0].cores.size(), 2);
  EXPECT_EQ(answer.plan.tasks[1].cores, answer.plan.tasks[2].cores);
  EXPECT_EQ(std::ranges::count(answer.plan.tasks[0].cores,
                               answer.plan.tasks[1].cores.at(0)),
            0);
  request.cores = {0};
  const auto none = Answer(request);
  EXPECT_FALSE(none.found);
  EXPECT_TRUE(std::ranges::any_of(none.plan.cores, [](const auto& core) {
    return !core.proof.schedulable && !core.proof.witness.empty();
  }));
}

TEST(MakePlanTest, MemoryIsNotPromisedTwice) {
  PlanRequest request = Request({Wish("a", 1, 20), Wish("b", 1, 20)}, {0, 1});
  request.tasks[0].task.memory_bytes = 600;
  request.tasks[1].task.memory_bytes = 600;
  request.memory_bytes = 1200;
  EXPECT_TRUE(Answer(request).found);
  request.memory_bytes = 1199;
  const auto answer = Answer(request);
  EXPECT_FALSE(answer.found);
  EXPECT_THAT(answer.plan.cores.back().proof.witness, HasSubstr("memory"));
}

TEST(MakePlanTest, FixedPrioritiesAreDistinctAndByDeadline) {
  const auto answer = Answer(Request(
      {Wish("slow", 20, 100), Wish("fast", 5, 20)}, {0}, Executor::kFifo));
  ASSERT_TRUE(answer.found);
  EXPECT_EQ(answer.plan.tasks[1].priority, kHighestPriority);
  EXPECT_EQ(answer.plan.tasks[0].priority, kHighestPriority - 1);
  EXPECT_EQ(answer.plan.tasks[0].response_bound_ns, 30 * kMs);
}

TEST(MakePlanTest, ACoreWithoutAnOrderOfPrioritiesNamesWhoIsLate) {
  const auto answer = Answer(
      Request({Wish("a", 10, 20), Wish("b", 12, 28)}, {0}, Executor::kFifo));
  EXPECT_FALSE(answer.found);
  EXPECT_THAT(answer.plan.cores.at(0).proof.witness,
              HasSubstr("A job of b may take 32 ms and is due after 28 ms"));
}

TEST(MakePlanTest, SchedDeadlineRunsOnAllCoresUnderItsOwnTest) {
  const auto answer =
      Answer(Request({Wish("a", 5, 20), Wish("b", 12, 50), Wish("c", 30, 100)},
                     {0, 1}, Executor::kDeadline));
  ASSERT_TRUE(answer.found);
  ASSERT_EQ(answer.plan.cores.size(), 1);
  EXPECT_EQ(answer.plan.tasks[1].cores, (std::vector<int>{0, 1}));
  EXPECT_EQ(answer.plan.tasks[1].runtime_ns, 12 * kMs);
  EXPECT_EQ(answer.plan.tasks[1].response_bound_ns, 50 * kMs);
  const auto open =
      Answer(Request({Wish("a", 10, 20), Wish("b", 10, 20), Wish("c", 18, 20)},
                     {0, 1}, Executor::kDeadline));
  EXPECT_FALSE(open.found);
  EXPECT_FALSE(open.certain) << "the test is only sufficient";
  PlanRequest pinned = Request({Wish("a", 5, 20)}, {0, 1}, Executor::kDeadline);
  pinned.tasks[0].allowed_cores = {1};
  const auto refused = MakePlan(pinned);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("task a"));
}

TEST(MakePlanTest, QuotasAreGivenToTasksThatShareACore) {
  const auto shared = Answer(Request({Wish("a", 50, 1000), Wish("b", 50, 1000)},
                                     {0}, Executor::kOther));
  ASSERT_TRUE(shared.found) << shared.plan.cores.at(0).proof.witness;
  double sum = 0;
  for (const PlannedTask& task : shared.plan.tasks) {
    ASSERT_TRUE(task.quota_cores);
    EXPECT_GT(*task.quota_cores, 0.05);
    EXPECT_LE(*task.response_bound_ns, task.deadline_ns);
    sum += *task.quota_cores;
  }
  EXPECT_LE(sum, 1);
  const auto alone =
      Answer(Request({Wish("a", 15, 20)}, {0}, Executor::kOther));
  ASSERT_TRUE(alone.found);
  EXPECT_FALSE(alone.plan.tasks[0].quota_cores) << "it needs none";
}

TEST(MakePlanTest, ACoreHasNoMoreTasksThanPriorities) {
  PlanRequest request = Request({}, {0}, Executor::kEdfPreemptive);
  for (int i = 0; i < 79; ++i) {
    request.tasks.push_back(Wish("t" + std::to_string(i), 0.001, 100));
  }
  const auto answer = Answer(request);
  EXPECT_FALSE(answer.found);
  EXPECT_THAT(answer.plan.cores.at(0).proof.witness,
              HasSubstr("more tasks than priorities"));
  request.rules.executor = Executor::kFifo;
  EXPECT_TRUE(Answer(request).found);
}

TEST(MakePlanTest, MoreLoadThanCoresIsSaid) {
  const auto answer = Answer(Request(
      {Wish("a", 15, 20), Wish("b", 15, 20), Wish("c", 15, 20)}, {0, 1}));
  EXPECT_FALSE(answer.found);
  EXPECT_TRUE(answer.certain);
  EXPECT_THAT(answer.statement, HasSubstr("No partition exists"));
}

TEST(MakePlanTest, WhatCannotBeATaskIsRefused) {
  for (const TaskWish& wish :
       {Wish("", 1, 2), Wish("x", 0, 2), Wish("x", 3, 2), Wish("x", 1, 0)}) {
    EXPECT_FALSE(MakePlan(Request({wish}, {0})));
  }
  EXPECT_FALSE(MakePlan(Request({Wish("x", 1, 2), Wish("x", 1, 2)}, {0})));
  EXPECT_FALSE(MakePlan(Request({Wish("x", 1, 2)}, {})));
  EXPECT_FALSE(MakePlan(Request({}, {0})));
}

}  // namespace
}  // namespace edgewise::scheduling
