#include "execution/permitted_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kMs = 1'000'000;

PlannedTask Planned(const std::string& name, int64_t c_ms, int64_t t_ms,
                    Executor executor, std::vector<int> cores = {0}) {
  PlannedTask task;
  task.name = name;
  task.executor = executor;
  task.cores = std::move(cores);
  task.wcet_ns = c_ms * kMs;
  task.period_ns = t_ms * kMs;
  task.deadline_ns = t_ms * kMs;
  return task;
}

Result<Plan> Permitted(std::vector<PlannedTask> tasks,
                       std::vector<std::string>* warnings) {
  Plan plan;
  plan.tasks = std::move(tasks);
  plan.reserve = 0.1;
  return PlanWithoutRealtime(plan, "not permitted", warnings);
}

TEST(PermittedPlanTest, PrioritiesBecomeEdfWithAProofOfItsOwn) {
  std::vector<std::string> warnings;
  const auto plan = Permitted({Planned("a", 4, 20, Executor::kFifo),
                               Planned("b", 10, 100, Executor::kFifo)},
                              &warnings);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->tasks[0].executor, Executor::kEdf);
  // Blocked by the other's job, and both stretched by the reserve.
  EXPECT_GE(plan->tasks[0].response_bound_ns.value_or(0), 14 * kMs);
  ASSERT_EQ(plan->cores.size(), 1U);
  EXPECT_TRUE(plan->cores[0].proof.schedulable);
  EXPECT_THAT(warnings,
              ElementsAre(AllOf(HasSubstr("not permitted"), HasSubstr("holds"),
                                HasSubstr("reserve of 10%"))));
}

TEST(PermittedPlanTest, WhatOnlyPreemptionHoldsIsNotProvenAnyMore) {
  std::vector<std::string> warnings;
  // A job of 30 ms that cannot be interrupted breaks a deadline of 20 ms.
  const auto plan = Permitted({Planned("a", 4, 20, Executor::kEdfPreemptive),
                               Planned("b", 30, 100, Executor::kEdfPreemptive)},
                              &warnings);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_FALSE(plan->cores[0].proof.schedulable);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("fails on core 0")));
}

TEST(PermittedPlanTest, TasksOfTheKernelsDeadlinesGetACoreEach) {
  std::vector<std::string> warnings;
  const auto plan =
      Permitted({Planned("a", 12, 20, Executor::kDeadline, {0, 1}),
                 Planned("b", 12, 20, Executor::kDeadline, {0, 1})},
                &warnings);
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->tasks[0].cores.size(), 1U);
  ASSERT_EQ(plan->tasks[1].cores.size(), 1U);
  EXPECT_NE(plan->tasks[0].cores, plan->tasks[1].cores);
}

TEST(PermittedPlanTest, BesideQuotasNothingIsProven) {
  std::vector<std::string> warnings;
  PlannedTask limited = Planned("b", 10, 100, Executor::kOther);
  limited.quota_cores = 0.3;
  limited.response_bound_ns = 90 * kMs;
  const auto plan =
      Permitted({Planned("a", 4, 20, Executor::kEdf), limited}, &warnings);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->tasks[1].executor, Executor::kOther);
  EXPECT_EQ(plan->tasks[1].response_bound_ns, std::nullopt);
  EXPECT_THAT(plan->cores, IsEmpty());
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("nothing is proven")));
}

}  // namespace
}  // namespace edgewise
