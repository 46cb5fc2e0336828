#include "control/plan_guard.h"

#include <gtest/gtest.h>

namespace edgewise::control {
namespace {

// Jobs of 20 ms each second, within half a second.
ActivePlan One(Executor executor) {
  PlannedTask task;
  task.name = "camera";
  task.executor = executor;
  task.cores = {0};
  task.wcet_ns = 20'000'000;
  task.period_ns = 1'000'000'000;
  task.deadline_ns = 500'000'000;
  ActivePlan active;
  active.plan.tasks = {task};
  active.processes["camera"] = {7, 1};
  return active;
}

AppSetting Quota(double cores) {
  AppSetting setting;
  setting.quota_cores = cores;
  setting.shares = 8192;
  return setting;
}

TEST(PlanGuardTest, AnAppThatNoPlanIsAboutMayGetAnything) {
  EXPECT_EQ(WhyUnsafe({One(Executor::kFifo)}, 8, Quota(0.01)), "");
  EXPECT_EQ(WhyUnsafe({}, 7, Quota(0.01)), "");
}

TEST(PlanGuardTest, AQuotaIsTakenIfTheProofHoldsWithIt) {
  const std::vector<ActivePlan> plans = {One(Executor::kOther)};
  EXPECT_EQ(WhyUnsafe(plans, 7, Quota(0.5)), "");
  const std::string why = WhyUnsafe(plans, 7, Quota(0.02));
  EXPECT_NE(why.find("deadline of 500 ms"), std::string::npos) << why;
  EXPECT_NE(why.find("it needs 0."), std::string::npos) << why;
}

TEST(PlanGuardTest, ATaskThatMustNotBeStoppedGetsNoQuota) {
  const std::vector<ActivePlan> plans = {One(Executor::kFifo)};
  EXPECT_NE(WhyUnsafe(plans, 7, Quota(0.9)).find("under fifo"),
            std::string::npos);
  EXPECT_EQ(WhyUnsafe(plans, 7, Quota(1)), "");  // never stopped
}

TEST(PlanGuardTest, OneThatTakesTheRoomOfOthersIsRefused) {
  ActivePlan plan = One(Executor::kOther);
  plan.plan.tasks[0].quota_cores = 0.3;
  plan.plan.tasks.push_back(plan.plan.tasks[0]);
  plan.plan.tasks[1].name = "other";
  plan.plan.tasks[1].quota_cores = 0.6;
  EXPECT_EQ(WhyUnsafe({plan}, 7, Quota(0.3)), "");
  EXPECT_NE(WhyUnsafe({plan}, 7, Quota(0.5)).find("core 0 would need 1.10"),
            std::string::npos);
}

TEST(PlanGuardTest, CoresThatThePlanNeedsStay) {
  AppSetting setting;
  setting.cpus = {1};
  const std::vector<ActivePlan> plans = {One(Executor::kFifo)};
  EXPECT_NE(WhyUnsafe(plans, 7, setting).find("on core 0"), std::string::npos);
  setting.cpus = {0, 1};
  EXPECT_EQ(WhyUnsafe(plans, 7, setting), "");
}

TEST(PlanGuardTest, WhatIsSafeOfASettingRemains) {
  AppSetting setting = Quota(0.5);
  setting.memory_bytes = 1 << 20;
  const SafeSetting safe = MakeSafe({One(Executor::kFifo)}, 7, setting);
  EXPECT_NE(safe.refusal.find("task camera of a plan in force"),
            std::string::npos);
  EXPECT_FALSE(safe.setting.quota_cores);
  EXPECT_FALSE(safe.setting.shares);
  EXPECT_EQ(safe.setting.memory_bytes, 1 << 20);
  EXPECT_EQ(MakeSafe({One(Executor::kFifo)}, 8, setting).setting, setting);
}

}  // namespace
}  // namespace edgewise::control
