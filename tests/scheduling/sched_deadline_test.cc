#include "scheduling/sched_deadline.h"

#include <gtest/gtest.h>

#include "random_tasks.h"

namespace edgewise::scheduling {
namespace {

constexpr int64_t kMs = 1'000'000;

TEST(SchedDeadlineTest, ParametersOfATask) {
  EXPECT_EQ(*ParametersFor(Tasks({{2 * kMs, 10 * kMs, 20 * kMs}})[0]),
            (DeadlineParameters{2 * kMs, 10 * kMs, 20 * kMs}));
  // Jitter shortens the deadline, the period limits it, and the kernel counts
  // no less than 1024 ns.
  EXPECT_EQ(*ParametersFor(Tasks({{1, 10 * kMs, 20 * kMs, kMs}})[0]),
            (DeadlineParameters{1024, 9 * kMs, 20 * kMs}));
  EXPECT_EQ(*ParametersFor(Tasks({{2 * kMs, 50 * kMs, 20 * kMs}})[0]),
            (DeadlineParameters{2 * kMs, 20 * kMs, 20 * kMs}));
}

TEST(SchedDeadlineTest, WhatTheKernelWouldRefuseIsRefused) {
  EXPECT_FALSE(ParametersFor(Tasks({{1024, 99'999, 99'999}})[0]).ok());
  EXPECT_TRUE(ParametersFor(Tasks({{1024, 100'000, 100'000}})[0]).ok());
  const int64_t longest = 4'194'304'000;
  EXPECT_TRUE(ParametersFor(Tasks({{kMs, longest, longest}})[0]).ok());
  EXPECT_FALSE(ParametersFor(Tasks({{kMs, longest, longest + 1}})[0]).ok());
  const auto tight =
      ParametersFor(Tasks({{5 * kMs, 6 * kMs, 9 * kMs, 2 * kMs}})[0]);
  ASSERT_FALSE(tight.ok());
  EXPECT_EQ(tight.error().message,
            "Task \"t0\" cannot use SCHED_DEADLINE: it needs 5 ms but has 4 ms "
            "before its deadline or next period; give it less to do or more "
            "time.");
}

TEST(SchedDeadlineTest, AdmitsUpTo95PercentOfEachCore) {
  const std::vector<DeadlineParameters> most(2,
                                             {95 * kMs, 100 * kMs, 100 * kMs});
  EXPECT_TRUE(AdmitDeadlineTasks(most, 2).admitted);
  EXPECT_NEAR(AdmitDeadlineTasks(most, 2).limit, 1.9, 1e-5);
  EXPECT_NEAR(AdmitDeadlineTasks(most, 2).load, 1.9, 1e-5);
  std::vector<DeadlineParameters> over = most;
  over.push_back({1024, 100 * kMs, 100 * kMs});
  EXPECT_TRUE(AdmitDeadlineTasks(over, 3).admitted);
  EXPECT_FALSE(AdmitDeadlineTasks(over, 2).admitted);
  EXPECT_TRUE(AdmitDeadlineTasks({}, 1).admitted);
}

TEST(SchedDeadlineTest, SaysWhatItIsWorth) {
  EXPECT_FALSE(DeadlineGuarantees().empty());
  EXPECT_FALSE(DeadlineCaveats().empty());
}

}  // namespace
}  // namespace edgewise::scheduling
