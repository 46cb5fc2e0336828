#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "execution/execute.h"
#include "probes/machine.h"

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CheckExecutableTest : public testing::Test {
 protected:
  CheckExecutableTest() {
    PlannedTask task;
    task.name = "camera";
    task.command = {"./camera"};
    task.cores = {0};
    task.wcet_ns = kNsPerMs;
    task.period_ns = task.deadline_ns = 10 * kNsPerMs;
    plan_.tasks = {task};
    plan_.cores.push_back({{0}, 0.1, {}});
    plan_.cores[0].proof.schedulable = true;
    plan_.machine = ReadMachine().fingerprint;
  }
  std::string Refusal() {
    const auto checked = CheckExecutable(plan_, &warnings_);
    return checked ? "" : checked.error().message;
  }

  Plan plan_;
  std::vector<std::string> warnings_;
};

TEST_F(CheckExecutableTest, AGoodPlanPassesWithoutWarnings) {
  EXPECT_EQ(Refusal(), "");
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(CheckExecutableTest, APlanForAnotherMachineIsSaid) {
  plan_.machine = "0123456789abcdef";
  plan_.machine_name = "raspberrypi";
  EXPECT_EQ(Refusal(), "");
  EXPECT_THAT(warnings_,
              ElementsAre(HasSubstr("another machine (raspberrypi)")));
}

TEST_F(CheckExecutableTest, APlanThatWasNotProvenIsSaid) {
  plan_.cores[0].proof.schedulable = false;
  plan_.cores[0].proof.verdict = "demand exceeds supply";
  EXPECT_EQ(Refusal(), "");
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("demand exceeds supply")));
}

TEST_F(CheckExecutableTest, AQuotaOnARealTimeTaskIsRefusedWithTheReason) {
  plan_.tasks[0].quota_cores = 0.5;
  EXPECT_THAT(Refusal(), HasSubstr("the quota would stop it within a job"));
}

TEST_F(CheckExecutableTest, AFixedPriorityMustBeThereAndBelowTheDispatchers) {
  plan_.tasks[0].executor = Executor::kFifo;
  EXPECT_THAT(Refusal(), HasSubstr("needs a priority of 1 to 97"));
  plan_.tasks[0].priority = 98;
  EXPECT_THAT(Refusal(), HasSubstr("needs a priority of 1 to 97"));
  plan_.tasks[0].priority = 97;
  EXPECT_EQ(Refusal(), "");
}

TEST_F(CheckExecutableTest, WhatHasNoCommandCannotBeExecuted) {
  plan_.tasks[0].command.clear();
  EXPECT_THAT(Refusal(), HasSubstr("task camera: the plan has no command"));
}

TEST_F(CheckExecutableTest, OnlyAProcessOfItsOwnCanBeAborted) {
  plan_.tasks[0].on_miss = MissPolicy::kAbort;
  EXPECT_THAT(Refusal(), HasSubstr("process_per_job: true"));
  plan_.tasks[0].process_per_job = true;
  EXPECT_EQ(Refusal(), "");
}

TEST_F(CheckExecutableTest, ALadderHasOnlySoManyRungs) {
  plan_.tasks[0].executor = Executor::kEdfPreemptive;
  const PlannedTask task = plan_.tasks[0];
  while (plan_.tasks.size() < 78) {
    plan_.tasks.push_back(task);
    plan_.tasks.back().name += std::to_string(plan_.tasks.size());
  }
  EXPECT_EQ(Refusal(), "");
  plan_.tasks.push_back(task);
  plan_.tasks.back().name = "one too many";
  EXPECT_THAT(Refusal(), HasSubstr("there are no more priorities"));
}

TEST_F(CheckExecutableTest, NamesMustDiffer) {
  plan_.tasks.push_back(plan_.tasks[0]);
  EXPECT_THAT(Refusal(), HasSubstr("two tasks of the plan are called camera"));
}

}  // namespace
}  // namespace edgewise
