#include "execution/read_execution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../store/temporary_store.h"
#include "base/clock.h"
#include "execution/record_execution.h"
#include "execution/verdict.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

constexpr int64_t kMs = kNsPerMs;
constexpr int64_t kStartNs = 5'000 * kMs;

class ReadExecutionTest : public TemporaryStoreTest {
 protected:
  void SetUp() override {
    TemporaryStoreTest::SetUp();
    for (const auto& [name, core] : {std::pair{"a", 0}, {"b", 1}}) {
      PlannedTask task;
      task.name = name;
      task.cores = {core};
      task.wcet_ns = 4 * kMs;
      task.period_ns = 20 * kMs;
      task.deadline_ns = 20 * kMs;
      task.response_bound_ns = 6 * kMs;
      plan_.tasks.push_back(task);
    }
  }

  // Fifty jobs of each task; the tenth of "a" takes `long_ns`.
  Execution Record(bool naive, int64_t long_ns) {
    ExecutionTrace trace;
    trace.groups = naive ? std::vector<std::vector<uint32_t>>{{0, 1}}
                         : std::vector<std::vector<uint32_t>>{{0}, {1}};
    trace.accounts.resize(2);
    trace.accounts[1] = {3, 2, 0};
    for (uint32_t task = 0; task < 2; ++task) {
      for (uint32_t i = 0; i < 50; ++i) {
        JobRecord job;
        job.task = task;
        job.number = i + 1;
        job.release_ns = kStartNs + i * 20 * kMs;
        job.deadline_ns = job.release_ns + 20 * kMs;
        job.start_ns = job.release_ns + kMs / 10 + task * 5 * kMs;
        const int64_t takes_ns = task == 0 && i == 9 ? long_ns : 3 * kMs;
        job.end_ns = job.start_ns + takes_ns;
        job.cpu_ns = takes_ns - kMs / 5;
        job.waits = task == 1 && i == 3 ? 1 : 0;
        trace.jobs.push_back(job);
      }
    }
    trace.steal = {{kStartNs, {10 * kMs, 0}},
                   {kStartNs + 190 * kMs, {10 * kMs, 0}},
                   {kStartNs + 220 * kMs, {30 * kMs, 0}},
                   {kStartNs + 1'000 * kMs, {30 * kMs, 0}}};
    Execution execution;
    execution.naive = naive;
    execution.group = "0123456789ab";
    execution.realtime = !naive;
    execution.start_ns = kStartNs;
    execution.elapsed_ns = 1'000 * kMs;
    execution.dispatcher_percent = 0.5;
    execution.warnings = {"the plan was not proven"};
    for (const PlannedTask& task : plan_.tasks) {
      TaskExecution one;
      one.task = task;
      execution.tasks.push_back(one);
    }
    JudgeExecution(plan_, trace, execution);
    const auto id = RecordExecution(home_, "plan.yaml", trace, execution);
    EXPECT_TRUE(id.ok()) << id.error().message;
    execution.run_id = id ? *id : "";
    return execution;
  }

  Plan plan_;
};

TEST_F(ReadExecutionTest, WhatIsReadIsWhatWasJudged) {
  const Execution lab = Record(true, 25 * kMs);
  const Execution planned = Record(false, 25 * kMs);
  const auto read = ReadExecutions(*store_, "0123456789ab", plan_);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_TRUE((*read)[0].naive);
  EXPECT_EQ((*read)[0].run_id, lab.run_id);
  const Execution& again = (*read)[1];
  EXPECT_EQ(again.run_id, planned.run_id);
  EXPECT_EQ(again.elapsed_ns, planned.elapsed_ns);
  EXPECT_EQ(again.dispatcher_percent, planned.dispatcher_percent);
  EXPECT_EQ(again.warnings, planned.warnings);
  for (size_t i = 0; i < 2; ++i) {
    const TaskExecution& was = planned.tasks[i];
    const TaskExecution& is = again.tasks[i];
    EXPECT_EQ(is.released(), was.released());
    EXPECT_EQ(is.skipped, was.skipped);
    EXPECT_EQ(is.unstarted, was.unstarted);
    EXPECT_EQ(is.misses(), was.misses());
    EXPECT_EQ(is.late_by_theft, was.late_by_theft);
    EXPECT_EQ(is.overruns, was.overruns);
    EXPECT_EQ(is.stolen_ns, was.stolen_ns);
    EXPECT_EQ(is.violations, was.violations);
    EXPECT_EQ(is.response_ns.max, was.response_ns.max);
  }
  EXPECT_EQ(planned.tasks[0].violations, 1);
  EXPECT_EQ(planned.tasks[1].skipped, 3);
  EXPECT_EQ(JudgeAll(std::span(&again, 1)).sentences,
            JudgeAll(std::span(&planned, 1)).sentences);
}

TEST_F(ReadExecutionTest, AnAssumptionThatDidNotHoldIsKept) {
  Execution execution;
  execution.group = "0123456789ab";
  execution.elapsed_ns = kMs;
  execution.broken_assumptions = {"task a has its policy"};
  ExecutionTrace trace;
  trace.accounts.resize(2);
  ASSERT_TRUE(RecordExecution(home_, "plan.yaml", trace, execution).ok());
  const auto read = ReadExecutions(*store_, "0123456789ab", plan_);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->front().broken_assumptions, execution.broken_assumptions);
  EXPECT_FALSE(read->front().realtime);
}

TEST_F(ReadExecutionTest, AnotherPlanIsRefused) {
  (void)Record(false, 3 * kMs);
  Plan other = plan_;
  other.tasks[0].deadline_ns = 10 * kMs;
  auto read = ReadExecutions(*store_, "0123456789ab", other);
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, HasSubstr("other deadlines for task a"));
  other.tasks.erase(other.tasks.begin());
  read = ReadExecutions(*store_, "0123456789ab", other);
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, HasSubstr("a task a"));
}

TEST_F(ReadExecutionTest, AGroupWithoutAnExecutionIsRefused) {
  const auto read = ReadExecutions(*store_, "ffffffffffff", plan_);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace edgewise
