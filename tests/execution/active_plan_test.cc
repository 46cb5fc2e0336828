#include "execution/active_plan.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>

#include "../probes/fake_tree.h"
#include "execution/running_program.h"

namespace edgewise {
namespace {

ActivePlan Plan() {
  PlannedTask task;
  task.name = "my camera";
  task.cores = {0};
  task.wcet_ns = 1'000'000;
  task.period_ns = task.deadline_ns = 10'000'000;
  ActivePlan active;
  active.plan.tasks = {task};
  active.processes["my camera"] = {getpid(), *StartTicks(getpid())};
  return active;
}

class ActivePlanTest : public testing::Test {
 protected:
  FakeTree tree_;
  const std::filesystem::path& home_ = tree_.root();
};

TEST_F(ActivePlanTest, PlansInForceAreReadUntilTheyAreRemoved) {
  EXPECT_TRUE(ReadActivePlans(home_)->empty());
  ASSERT_TRUE(AddActivePlan(home_, Plan()));
  ASSERT_TRUE(AddActivePlan(home_, Plan()));
  const auto plans = ReadActivePlans(home_);
  ASSERT_TRUE(plans) << plans.error().message;
  ASSERT_EQ(plans->size(), 2u);
  EXPECT_EQ((*plans)[0].processes, Plan().processes);
  EXPECT_EQ((*plans)[0].plan.tasks[0].period_ns, 10'000'000);
  RemoveActivePlans(home_);
  EXPECT_TRUE(ReadActivePlans(home_)->empty());
}

TEST_F(ActivePlanTest, APlanWhoseProgramsHaveEndedIsNotInForce) {
  ActivePlan plan = Plan();
  plan.processes["my camera"].start_ticks += 1;  // another process
  ASSERT_TRUE(AddActivePlan(home_, plan));
  EXPECT_TRUE(ReadActivePlans(home_)->empty());
}

TEST_F(ActivePlanTest, OneOfAnotherBootIsLeftOutAndADamagedOneTold) {
  const std::string text = FormatActivePlan(Plan(), "boot-1");
  EXPECT_TRUE((*ParseActivePlan(text, "boot-1")).has_value());
  EXPECT_FALSE((*ParseActivePlan(text, "boot-2")).has_value());
  for (const std::string& damaged :
       {std::string(), std::string("edgewise active plan 1\n"),
        text.substr(0, text.find("plan\n", 20)), "x" + text,
        std::string("edgewise active plan 1\ntask -1 2 a\nplan\n")}) {
    EXPECT_FALSE(ParseActivePlan(damaged, "boot-1")) << damaged;
  }
  ASSERT_TRUE(AddActivePlan(home_, Plan()));
  std::ofstream(home_ / "active-plans" / "1") << "nonsense\n";
  EXPECT_FALSE(ReadActivePlans(home_));
}

}  // namespace
}  // namespace edgewise
