#include "execution/explain_job.h"

#include <gtest/gtest.h>

#include "execution/execution.h"
#include "execution/verdict.h"

namespace edgewise {
namespace {

constexpr int64_t kMs = 1'000'000;

// Two tasks of C = 5 ms and 12 ms on one core.
Plan TwoTasks() {
  Plan plan;
  for (const int64_t wcet_ms : {5, 12}) {
    PlannedTask task;
    task.name = wcet_ms == 5 ? "fast" : "slow";
    task.cores = {0};
    task.wcet_ns = wcet_ms * kMs;
    task.period_ns = wcet_ms * 4 * kMs;
    task.deadline_ns = task.period_ns;
    task.jitter_ns = kMs;
    task.response_bound_ns = 18 * kMs;
    task.card = "cards/" + task.name + ".yaml";
    plan.tasks.push_back(task);
  }
  return plan;
}

JobRecord Job(uint32_t task, int64_t release_ms, int64_t start_ms,
              int64_t end_ms, int64_t cpu_ms) {
  JobRecord job;
  job.task = task;
  job.number = 1;
  job.release_ns = release_ms * kMs;
  job.deadline_ns = job.release_ns + (task == 0 ? 20 : 48) * kMs;
  job.start_ns = start_ms * kMs;
  job.end_ns = end_ms * kMs;
  job.cpu_ns = cpu_ms * kMs;
  return job;
}

JobExplanation Explain(const std::vector<JobRecord>& jobs, size_t which,
                       const CoreFacts& facts = {}) {
  return ExplainJob(jobs[which], jobs, TwoTasks(), facts,
                    jobs[which].response_ns() - 18 * kMs);
}

TEST(ExplainJobTest, AJobBeforeItThatUsedMoreThanItsC) {
  const auto why = Explain({Job(1, 0, 0, 20, 20), Job(0, 1, 20, 25, 5)}, 1);
  EXPECT_EQ(why.broken, BrokenAssumption::kWcet);
  EXPECT_EQ(why.overrun_ns, 8 * kMs);
  EXPECT_EQ(why.overrun_task, 1);
}

TEST(ExplainJobTest, AStartThatWasLateWithTheCoreIdle) {
  const auto why = Explain({Job(0, 0, 15, 20, 5)}, 0);
  EXPECT_EQ(why.broken, BrokenAssumption::kJitter);
  EXPECT_EQ(why.late_ns, 14 * kMs);  // 1 ms is allowed for
}

TEST(ExplainJobTest, TheSameIsTheftIfTheKernelCountedAny) {
  CoreFacts facts;
  facts.steal_ns = 20 * kMs;
  const auto why = Explain({Job(0, 0, 15, 20, 5)}, 0, facts);
  EXPECT_EQ(why.broken, BrokenAssumption::kStolen);
  EXPECT_EQ(why.late_ns, 0);
}

TEST(ExplainJobTest, TimeThatNobodyOnTheCoreUsedWasStolen) {
  const auto why = Explain({Job(1, 0, 0, 20, 12), Job(0, 1, 20, 25, 5)}, 1);
  EXPECT_EQ(why.broken, BrokenAssumption::kStolen);
  EXPECT_NEAR(static_cast<double>(why.stolen_ns), 7.6e6, 1e4);
}

TEST(ExplainJobTest, UnlessAJobWaitedByItselfOrWasPreemptedByOthers) {
  std::vector<JobRecord> jobs{Job(1, 0, 0, 20, 12), Job(0, 1, 20, 25, 5)};
  jobs[0].waits = 1;
  EXPECT_EQ(Explain(jobs, 1).broken, BrokenAssumption::kInterference);
  jobs[0].waits = 0;
  jobs[0].preemptions = 3;
  EXPECT_EQ(Explain(jobs, 1).broken, BrokenAssumption::kStolen);
  CoreFacts facts;
  facts.realtime = false;
  EXPECT_EQ(Explain(jobs, 1, facts).broken, BrokenAssumption::kInterference);
}

TEST(ExplainJobTest, WhereAllWasAsAssumedTheBoundIsWrong) {
  const auto why = Explain(
      {Job(1, 0, 0, 12, 12), Job(1, 12, 12, 24, 12), Job(0, 1, 24, 29, 5)}, 2);
  EXPECT_EQ(why.broken, BrokenAssumption::kNone);
}

TEST(ExplainJobTest, APreemptedJobLosesNothingToThoseThatPreemptIt) {
  // The slow one is interrupted by a fast one, and 2 ms are stolen.
  const std::vector<JobRecord> jobs{Job(1, 0, 0, 19, 12), Job(0, 5, 5, 10, 5)};
  EXPECT_EQ(StolenFromJobs(jobs, true), (std::vector<int64_t>{2 * kMs, 0}));
}

TEST(ExplainJobTest, WhatWasStolenIsNotKnownOfJobsThatWait) {
  std::vector<JobRecord> jobs{Job(1, 0, 0, 19, 12)};
  jobs[0].preemptions = 1;
  EXPECT_EQ(StolenFromJobs(jobs, true)[0], 7 * kMs);
  EXPECT_EQ(StolenFromJobs(jobs, false)[0], -1);
  jobs[0].preemptions = 0;
  jobs[0].waits = 1;
  EXPECT_EQ(StolenFromJobs(jobs, true)[0], -1);
}

class JudgeTest : public testing::Test {
 protected:
  Execution Judge(std::vector<JobRecord> jobs) {
    Execution execution;
    execution.realtime = true;
    execution.elapsed_ns = 100 * kMs;
    execution.run_id = "abc";
    for (const PlannedTask& task : plan_.tasks) {
      execution.tasks.emplace_back().task = task;
    }
    ExecutionTrace trace;
    trace.jobs = std::move(jobs);
    trace.groups = {{0, 1}};
    trace.accounts.resize(2);
    trace.accounts[0].skipped = skipped_;
    JudgeExecution(plan_, trace, execution);
    return execution;
  }

  Plan plan_ = TwoTasks();
  int64_t skipped_ = 0;
};

TEST_F(JudgeTest, JobsAreCountedByTask) {
  skipped_ = 1;
  const Execution execution =
      Judge({Job(0, 0, 0, 5, 5), Job(1, 0, 5, 17, 12), Job(0, 20, 20, 41, 5)});
  const TaskExecution& fast = execution.tasks[0];
  EXPECT_EQ(fast.jobs, 2);
  EXPECT_EQ(fast.late, 1);
  EXPECT_EQ(fast.released(), 3);
  EXPECT_EQ(fast.misses(), 2);  // a skipped one has missed its deadline too
  EXPECT_EQ(fast.tardiness_ns, kMs);
  EXPECT_EQ(fast.late_by_theft, 1);
  EXPECT_EQ(fast.violations, 1);
  EXPECT_DOUBLE_EQ(*fast.utilisation, 0.1);
  EXPECT_EQ(*fast.response_ns.max, 21e6);
  EXPECT_EQ(execution.tasks[1].misses(), 0);
}

TEST_F(JudgeTest, AResponseAboveItsBoundIsSaidFirstAndNamesWhatFailed) {
  const Execution execution =
      Judge({Job(1, 0, 0, 20, 20), Job(0, 1, 20, 25, 5)});
  const ExecutionVerdict verdict = JudgeAll(std::span(&execution, 1));
  EXPECT_TRUE(verdict.falsified);
  EXPECT_FALSE(verdict.held);
  EXPECT_NE(verdict.sentences[0].find("FALSIFIED: task fast took 24 ms where "
                                      "18 ms is proven"),
            std::string::npos)
      << verdict.sentences[0];
  EXPECT_NE(verdict.sentences[0].find("C exceeded by 8 ms (task slow"),
            std::string::npos)
      << verdict.sentences[0];
}

TEST_F(JudgeTest, TheCardOfTheTaskWhoseCWasExceededIsMarked) {
  const Execution execution =
      Judge({Job(1, 0, 0, 20, 20), Job(0, 1, 20, 25, 5)});
  // The slow one's own response is above the bound as well: one mark.
  const auto marks = MarksOf(execution, "plan.yaml");
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].card, "cards/slow.yaml");
}

TEST_F(JudgeTest, AnExecutionWithinItsBoundsHolds) {
  const Execution execution =
      Judge({Job(1, 0, 0, 12, 12), Job(0, 1, 12, 17, 5)});
  const ExecutionVerdict verdict = JudgeAll(std::span(&execution, 1));
  EXPECT_TRUE(verdict.held);
  EXPECT_FALSE(verdict.falsified);
  EXPECT_TRUE(MarksOf(execution, "plan.yaml").empty());
}

TEST_F(JudgeTest, TheLabsWayIsNotHeldAgainstThePlan) {
  Execution lab = Judge({Job(0, 0, 20, 25, 5)});
  lab.naive = true;
  for (TaskExecution& task : lab.tasks) {
    task.violations = 0;
    task.worst.clear();
  }
  const Execution plan = Judge({Job(0, 0, 0, 5, 5)});
  EXPECT_TRUE(JudgeAll(std::vector{lab, plan}).held);
  EXPECT_FALSE(JudgeAll(std::vector{lab}).held);
}

}  // namespace
}  // namespace edgewise
