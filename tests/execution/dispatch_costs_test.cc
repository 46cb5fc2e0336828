#include "execution/dispatch_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

JobRecord Job(uint32_t task, int64_t release_ns, int64_t start_ns,
              int64_t end_ns) {
  JobRecord job;
  job.task = task;
  job.release_ns = release_ns;
  job.start_ns = start_ns;
  job.end_ns = end_ns;
  return job;
}

Plan TwoTasks(Executor executor) {
  Plan plan;
  plan.tasks.resize(2);
  for (PlannedTask& task : plan.tasks) {
    task.executor = executor;
  }
  return plan;
}

TEST(DispatchCostsTest, ATaskThatFindsTheCoreIdleTellsTheLatency) {
  DispatchCosts costs;
  AddCosts(TwoTasks(Executor::kEdf),
           std::vector<JobRecord>{Job(0, 100, 107, 150), Job(0, 200, 203, 250)},
           costs);
  EXPECT_THAT(costs.latency_ns, ElementsAre(7, 3));
  EXPECT_THAT(costs.hand_over_ns, IsEmpty());
}

TEST(DispatchCostsTest, ATaskThatWaitedTellsTheHandOver) {
  DispatchCosts costs;
  AddCosts(TwoTasks(Executor::kEdf),
           std::vector<JobRecord>{Job(0, 100, 105, 150), Job(1, 100, 152, 180)},
           costs);
  EXPECT_THAT(costs.latency_ns, ElementsAre(5));
  EXPECT_THAT(costs.hand_over_ns, ElementsAre(2));
}

TEST(DispatchCostsTest, PreemptionIsNoHandOver) {
  DispatchCosts costs;
  AddCosts(TwoTasks(Executor::kEdfPreemptive),
           std::vector<JobRecord>{Job(0, 100, 105, 190), Job(1, 110, 112, 130)},
           costs);
  EXPECT_THAT(costs.latency_ns, ElementsAre(5));
  EXPECT_THAT(costs.hand_over_ns, IsEmpty());
}

}  // namespace
}  // namespace edgewise
