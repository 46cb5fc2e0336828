#include "scheduling/plan_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plan_wishes.h"
#include "random_tasks.h"
#include "scheduling/explain_plan.h"

namespace edgewise::scheduling {
namespace {

using testing::HasSubstr;

TEST(PlanHistoryTest, NoProvenPlanMissesInTheSimulator) {
  stats::Random random(7);
  int found = 0;
  for (const Executor executor :
       {Executor::kEdf, Executor::kEdfPreemptive, Executor::kFifo}) {
    for (int i = 0; i < 300; ++i) {
      SetKind kind;
      kind.least_load = 0.8;
      kind.most_load = 2;
      kind.most_tasks = 6;
      kind.deadlines = Deadlines::kConstrained;
      PlanRequest request = Request({}, {0, 1}, executor);
      request.rules.throttling.reset();
      for (const Task& task : RandomTasks(kind, &random)) {
        TaskWish wish;
        wish.task.name = task.name;
        wish.task.wcet_ns = task.wcet_ns;
        wish.task.period_ns = task.period_ns;
        wish.task.deadline_ns = std::max(task.deadline_ns, task.wcet_ns);
        request.tasks.push_back(wish);
      }
      const auto answer = Answer(request);
      const auto history = FirstHyperperiod(answer.plan, 100'000);
      ASSERT_TRUE(history);
      ASSERT_TRUE(history->whole);
      found += answer.found ? 1 : 0;
      if (answer.found) {
        ASSERT_EQ(history->missed, 0);
      }
      // Cores never do two things at once.
      for (const int core : request.cores) {
        int64_t end_ns = 0;
        for (const Slice& slice : history->slices) {
          if (slice.core != core) continue;
          ASSERT_GE(slice.start_ns, end_ns);
          end_ns = slice.end_ns;
        }
      }
    }
  }
  EXPECT_GT(found, 100);
}

TEST(PlanHistoryTest, ALongHyperperiodIsCutShort) {
  const auto answer =
      Answer(Request({Wish("a", 1, 9.973), Wish("b", 1, 10.007)}, {0}));
  const auto history = FirstHyperperiod(answer.plan, 100);
  ASSERT_TRUE(history);
  EXPECT_FALSE(history->whole);
  EXPECT_GT(history->slices.size(), 2);
  EXPECT_LT(history->slices.size(), 500);
}

TEST(ExplainPlanTest, ItNamesOtherCoresAndWhyNot) {
  const PlanRequest request = Request(
      {Wish("a", 5, 20), Wish("b", 12, 50), Wish("c", 30, 100)}, {0, 1});
  const auto sentences = ExplainPlan(request, Answer(request));
  ASSERT_EQ(sentences.size(), 5);
  EXPECT_THAT(sentences[0], HasSubstr("earliest deadline"));
  EXPECT_THAT(sentences[2], HasSubstr("a (C 5 ms, every 20 ms"));
  EXPECT_THAT(sentences[2], HasSubstr("Not core 0: Within some 20 ms"));
  EXPECT_THAT(sentences[3], HasSubstr("would hold it too"));
}

}  // namespace
}  // namespace edgewise::scheduling
