#include "scheduling/remedies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plan_wishes.h"

namespace edgewise::scheduling {
namespace {

using testing::HasSubstr;

PlanRequest Impossible() {
  PlanRequest request;
  request.tasks = {Wish("a", 5, 20), Wish("b", 12, 50), Wish("c", 33, 100)};
  request.cores = {0};
  return request;
}

const Remedy* Find(const std::vector<Remedy>& remedies, RemedyKind kind) {
  const auto found = std::ranges::find_if(
      remedies, [&](const Remedy& each) { return each.kind == kind; });
  return found == remedies.end() ? nullptr : &*found;
}

bool HasPlan(const PlanRequest& request) {
  const auto answer = MakePlan(request);
  return answer && answer->found;
}

TEST(RemediesTest, EveryRemedyMakesAPlan) {
  ASSERT_FALSE(HasPlan(Impossible()));
  const Alternative quick{2, Wish("c", 10, 100), "c_int8.yaml"};
  const auto remedies = FindRemedies(Impossible(), {{quick}}, {});
  for (const RemedyKind kind :
       {RemedyKind::kAlternative, RemedyKind::kLongerPeriod,
        RemedyKind::kShorterWcet, RemedyKind::kMoreCores,
        RemedyKind::kExecutor}) {
    EXPECT_NE(Find(remedies, kind), nullptr) << static_cast<int>(kind);
  }
  for (const Remedy& remedy : remedies) {
    EXPECT_TRUE(HasPlan(remedy.request)) << remedy.change;
  }
}

TEST(RemediesTest, ALongerPeriodIsTheShortestThatWorks) {
  const auto remedies = FindRemedies(Impossible(), {}, {});
  const Remedy* longer = Find(remedies, RemedyKind::kLongerPeriod);
  ASSERT_NE(longer, nullptr);
  EXPECT_THAT(longer->change, HasSubstr("Give a a period and deadline of"));
  PlanRequest request = longer->request;
  PlannedTask& task = request.tasks[0].task;
  EXPECT_EQ(task.deadline_ns, task.period_ns);
  task.period_ns -= 20'000;  // a thousandth of what was asked for
  task.deadline_ns = task.period_ns;
  EXPECT_FALSE(HasPlan(request));
}

TEST(RemediesTest, AShorterJobIsTheLongestThatWorks) {
  const auto remedies = FindRemedies(Impossible(), {}, {});
  const Remedy* shorter = Find(remedies, RemedyKind::kShorterWcet);
  ASSERT_NE(shorter, nullptr);
  PlanRequest request = shorter->request;
  const auto changed = std::ranges::find_if(
      request.tasks, [](const auto& w) { return w.task.name == "c"; });
  ASSERT_NE(changed, request.tasks.end());
  changed->task.wcet_ns += 33'000;
  EXPECT_FALSE(HasPlan(request));
}

TEST(RemediesTest, SpareCoresAreNamedOthersAreThoughtOf) {
  auto remedies = FindRemedies(Impossible(), {}, {{3}});
  ASSERT_NE(Find(remedies, RemedyKind::kMoreCores), nullptr);
  EXPECT_THAT(Find(remedies, RemedyKind::kMoreCores)->change,
              HasSubstr("--cores 0,3"));
  remedies = FindRemedies(Impossible(), {}, {});
  EXPECT_THAT(Find(remedies, RemedyKind::kMoreCores)->change,
              HasSubstr("a machine with 1 more core"));
}

TEST(RemediesTest, AlternativesThatDoNotHelpAreNotNamed) {
  const Alternative useless{2, Wish("c", 32, 100), "c2.yaml"};
  const auto remedies = FindRemedies(Impossible(), {{useless}}, {});
  EXPECT_EQ(Find(remedies, RemedyKind::kAlternative), nullptr);
}

}  // namespace
}  // namespace edgewise::scheduling
