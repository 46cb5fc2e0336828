#include "execution/applicable_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "execution/apply_program.h"

namespace edgewise {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kMs = 1'000'000;

PlannedTask Planned(const std::string& name, int64_t c_ms, int64_t t_ms,
                    Executor executor = Executor::kEdf) {
  PlannedTask task;
  task.name = name;
  task.executor = executor;
  task.cores = {0};
  task.wcet_ns = c_ms * kMs;
  task.period_ns = t_ms * kMs;
  task.deadline_ns = t_ms * kMs;
  return task;
}

Plan With(std::vector<PlannedTask> tasks, bool proven = true) {
  Plan plan;
  plan.tasks = std::move(tasks);
  PlannedCore core;
  core.cores = {0};
  core.proof.schedulable = proven;
  plan.cores = {core};
  return plan;
}

TEST(ApplicablePlanTest, EdfBecomesFixedPrioritiesWithAProofOfTheirOwn) {
  std::vector<std::string> warnings;
  const auto plan =
      ApplicablePlan(With({Planned("slow", 20, 100), Planned("fast", 5, 20)}),
                     true, &warnings);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->tasks[0].executor, Executor::kFifo);
  EXPECT_LT(plan->tasks[0].priority, plan->tasks[1].priority);
  EXPECT_EQ(plan->tasks[0].response_bound_ns, 30 * kMs);
  EXPECT_TRUE(IsProven(*plan));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("edf becomes fixed priorities")));
}

TEST(ApplicablePlanTest, WhatOnlyEdfHoldsIsNotProvenAnyMore) {
  std::vector<std::string> warnings;
  // 10/20 + 13/28 is 96%: fine for EDF, too much for any priorities.
  const auto plan =
      ApplicablePlan(With({Planned("a", 10, 20, Executor::kEdfPreemptive),
                           Planned("b", 13, 28, Executor::kEdfPreemptive)}),
                     true, &warnings);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(IsProven(*plan));
  EXPECT_THAT(warnings, Contains(HasSubstr("does not hold for core 0")));
}

TEST(ApplicablePlanTest, WithoutRealTimeOnlyATaskAloneIsProven) {
  std::vector<std::string> warnings;
  auto plan = ApplicablePlan(With({Planned("a", 5, 20, Executor::kFifo)}),
                             false, &warnings);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->tasks[0].executor, Executor::kOther);
  EXPECT_TRUE(IsProven(*plan));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("not permitted")));
  warnings.clear();
  plan = ApplicablePlan(With({Planned("a", 5, 20), Planned("b", 5, 20)}), false,
                        &warnings);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(IsProven(*plan));
  EXPECT_FALSE(plan->tasks[0].quota_cores) << "it would only do harm";
}

TEST(ApplicablePlanTest, WhatTheKernelKeepsIsTakenAsItIs) {
  PlannedTask task = Planned("a", 5, 20, Executor::kFifo);
  task.priority = 33;
  std::vector<std::string> warnings;
  const auto plan = ApplicablePlan(With({task}), true, &warnings);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->tasks[0].priority, 33);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(ApplicablePlanTest, APlanWithoutProofsIsProvenOnlyWhereItChanges) {
  Plan plan = With({Planned("a", 5, 20)});
  plan.cores.clear();
  std::vector<std::string> warnings;
  auto applied = ApplicablePlan(plan, true, &warnings);
  ASSERT_TRUE(applied);
  EXPECT_TRUE(IsProven(*applied));
  plan.tasks[0].executor = Executor::kRr;
  plan.tasks[0].priority = 12;
  warnings.clear();
  applied = ApplicablePlan(plan, true, &warnings);
  ASSERT_TRUE(applied);
  EXPECT_FALSE(IsProven(*applied));
  EXPECT_EQ(applied->tasks[0].priority, 12) << "nobody asked for another";
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("The plan has no proof")));
}

TEST(ApplicablePlanTest, AProofThatFailedIsSaid) {
  PlannedTask task = Planned("a", 5, 20, Executor::kFifo);
  task.priority = 33;
  std::vector<std::string> warnings;
  const auto plan = ApplicablePlan(With({task}, false), true, &warnings);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(IsProven(*plan));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("does not hold for core 0")));
}

TEST(ApplicablePlanTest, DifferentExecutorsOnOneCoreAreProvenByNobody) {
  std::vector<std::string> warnings;
  PlannedTask fifo = Planned("a", 5, 20, Executor::kFifo);
  fifo.priority = 33;
  auto plan = ApplicablePlan(
      With({fifo, Planned("b", 5, 20, Executor::kOther)}), true, &warnings);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(IsProven(*plan));
  plan = ApplicablePlan(With({fifo, Planned("b", 5, 20)}), true, &warnings);
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, HasSubstr("edgewise exec"));
}

TEST(ApplicablePlanTest, AQuotaOnARealTimeTaskIsRefusedWithTheReason) {
  PlannedTask task = Planned("a", 5, 20);
  task.quota_cores = 0.5;
  std::vector<std::string> warnings;
  const auto checked = CheckApplicable(With({task}), true, &warnings);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("quota"));
}

TEST(ApplicablePlanTest, APlanForAnotherMachineNeedsForce) {
  Plan plan = With({Planned("a", 5, 20)});
  plan.machine = "0123456789abcdef";
  plan.machine_name = "raspberrypi";
  std::vector<std::string> warnings;
  const auto checked = CheckApplicable(plan, false, &warnings);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("(raspberrypi)"));
  EXPECT_TRUE(CheckApplicable(plan, true, &warnings));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("another machine")));
}

TEST(ApplicablePlanTest, EachExecutorHasItsClass) {
  PlannedTask task = Planned("a", 5, 20, Executor::kRr);
  task.priority = 7;
  EXPECT_EQ(DescribeAttributes(*AttributesFor(task)), "rr:7");
  task.executor = Executor::kDeadline;
  task.runtime_ns = 6 * kMs;
  const auto attributes = AttributesFor(task);
  EXPECT_EQ(DescribeAttributes(*attributes), "deadline 6 ms of 20 ms");
  EXPECT_EQ(attributes->flags, kFlagResetOnFork);
  task.executor = Executor::kOther;
  EXPECT_FALSE(AttributesFor(task));
}

}  // namespace
}  // namespace edgewise
