#include "scheduling/plan_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::HasSubstr;

Plan FullPlan() {
  Plan plan;
  plan.reserve = 0.1;
  plan.machine = "0123456789abcdef";
  plan.machine_name = "raspberrypi (4 × Cortex-A76)";
  plan.created = "2026-11-15T08:29:38Z";
  plan.notes = {"made by hand: yes"};
  PlannedTask task;
  task.name = "camera \"left\"";
  task.command = {"./camera", "--size", "640 480"};
  task.executor = Executor::kEdfPreemptive;
  task.cores = {2, 3};
  task.wcet_ns = 4'900'001;
  task.period_ns = 20'000'000;
  task.deadline_ns = 15'500'000;
  task.jitter_ns = 120'000;
  task.priority = 40;
  task.runtime_ns = 6'000'000;
  task.quota_cores = 0.25;
  task.memory_bytes = int64_t{210} << 20;
  task.on_miss = MissPolicy::kSkip;
  task.process_per_job = true;
  task.wcet_source = "cards/camera.yaml: contended p99 bound at 95%";
  task.card = "cards/camera.yaml";
  task.response_bound_ns = 9'000'000;
  task.slack_ns = -6'500'000;
  task.wcet_slack_ns = 1'250'000;
  plan.tasks = {task};
  PlannedCore core;
  core.cores = {2, 3};
  core.utilisation = 0.245;
  core.proof = {"processor demand (QPA), preemptive EDF",
                false,
                "demand exceeds supply",
                40'000'000,
                "at 40 ms: 41 ms of demand",
                0.97,
                {"C is never exceeded", "nothing else runs: at all"}};
  plan.cores = {core};
  return plan;
}

TEST(PlanFileTest, APlanSurvivesBeingWrittenAndRead) {
  const Plan plan = FullPlan();
  const auto again = ReadPlan(WritePlan(plan), "plan.yaml");
  ASSERT_TRUE(again) << again.error().message;
  // Every key is there, so equal texts are equal plans.
  EXPECT_EQ(WritePlan(*again), WritePlan(plan));
  const PlannedTask& task = again->tasks.at(0);
  EXPECT_EQ(task.name, plan.tasks[0].name);
  EXPECT_EQ(task.command, plan.tasks[0].command);
  EXPECT_EQ(task.wcet_ns, 4'900'001);
  EXPECT_EQ(task.cores, (std::vector<int>{2, 3}));
  EXPECT_EQ(task.memory_bytes, int64_t{210} << 20);
  EXPECT_EQ(task.slack_ns, -6'500'000);
  EXPECT_EQ(again->cores.at(0).proof.assumptions,
            plan.cores[0].proof.assumptions);
  EXPECT_EQ(again->cores[0].proof.witness_ns, 40'000'000);
}

TEST(PlanFileTest, TheShortestPlanNeedsFourKeysATask) {
  const auto plan = ReadPlan(
      "tasks:\n  - {name: a, cores: 0, wcet_ms: 5, period_ms: 20}\n", "p");
  ASSERT_TRUE(plan) << plan.error().message;
  const PlannedTask& task = plan->tasks.at(0);
  EXPECT_EQ(task.executor, Executor::kEdf);
  EXPECT_EQ(task.deadline_ns, 20'000'000);  // the period
  EXPECT_EQ(task.on_miss, MissPolicy::kFinish);
}

struct BadPlan {
  std::string yaml;
  std::string says;
};

class BadPlanTest : public testing::TestWithParam<BadPlan> {};

TEST_P(BadPlanTest, IsRefusedWithItsLine) {
  const auto plan = ReadPlan(GetParam().yaml, "plan.yaml");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(plan.error().message, HasSubstr(GetParam().says));
}

std::string TaskWith(const std::string& rest) {
  return "tasks:\n  - name: a\n    cores: 0\n    period_ms: 20\n    "
         "wcet_ms: 5\n    " +
         rest + "\n";
}

INSTANTIATE_TEST_SUITE_P(
    PlanFileTest, BadPlanTest,
    testing::Values(
        BadPlan{"", "plan.yaml:1: the plan is empty"},
        BadPlan{"- 1\n", "plan.yaml:1: a plan is a list of `key: value`"},
        BadPlan{"tasks: []\n", "the plan has no `tasks`"},
        BadPlan{"created: now\ntask:\n",
                "plan.yaml:2: there is no key `task` "
                "in a plan; did you mean `tasks`?"},
        BadPlan{"tasks: 5\n", "`tasks` must be a list"},
        BadPlan{"tasks:\n  - {cores: 0, wcet_ms: 5, period_ms: 20}\n",
                "plan.yaml:2: the task needs `name`"},
        BadPlan{"tasks:\n  - {name: a, cores: 0, wcet_ms: 5}\n",
                "the task needs `period_ms`"},
        BadPlan{TaskWith("deadline_ms: 4"), "wcet_ms is above deadline_ms"},
        BadPlan{TaskWith("deadline_ms: 0"), "plan.yaml:6: `deadline_ms` must"},
        BadPlan{TaskWith("deadline_ms: 5ms"), "a number without a unit"},
        BadPlan{TaskWith("deadline_ms: .inf"), "a number without a unit"},
        BadPlan{TaskWith("deadline_ms: 1e300"), "must be from"},
        BadPlan{TaskWith("executor: magic"), "edf-preemptive, fifo"},
        BadPlan{TaskWith("on_miss: cry"), "finish, skip or abort"},
        BadPlan{TaskWith("process_per_job: maybe"), "true or false"},
        BadPlan{TaskWith("priority: 100"), "from 1 to 99"},
        BadPlan{TaskWith("command: \"'\""), "must be a command line"},
        BadPlan{TaskWith("wcet_ms: 5"), "the key `wcet_ms` is there twice"},
        BadPlan{"tasks:\n  - {name: a, cores: x, wcet_ms: 5, period_ms: 20}\n",
                "must be cores such as 0"},
        BadPlan{"tasks:\n  - {name: a, cores: 0, wcet_ms: 5, period_ms: 20}\n"
                "  - {name: a, cores: 0, wcet_ms: 5, period_ms: 20}\n",
                "two tasks are called `a`"},
        BadPlan{"a: &x 1\nb: *x\n",
                "aliases (*name) are not allowed in a "
                "plan"}));

}  // namespace
}  // namespace edgewise
