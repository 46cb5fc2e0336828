#include "scheduling/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_tasks.h"
#include "scheduling/fractions.h"

namespace edgewise::scheduling {
namespace {

using testing::HasSubstr;

TEST(TaskTest, GoodTasksPass) {
  EXPECT_TRUE(CheckTasks(Tasks({{1, 2, 3}, {2, 5, 3, 3}})).ok());
  EXPECT_TRUE(CheckTasks({}).ok());
}

TEST(TaskTest, EachFaultHasItsSentence) {
  const auto message = [](const std::vector<Task>& tasks) {
    const auto result = CheckTasks(tasks);
    return result.ok() ? std::string() : result.error().message;
  };
  EXPECT_EQ(message(Tasks({{0, 2, 3}})),
            "Task \"t0\" has no execution time; give one above 0.");
  EXPECT_THAT(message(Tasks({{1, -2, 3}})), HasSubstr("no deadline"));
  EXPECT_THAT(message(Tasks({{1, 2, 0}})), HasSubstr("no period"));
  EXPECT_THAT(message(Tasks({{1, 2, 3, -1}})), HasSubstr("negative jitter"));
  EXPECT_THAT(message(Tasks({{1, 2, kLongestNs + 1}})), HasSubstr("146 years"));
  EXPECT_EQ(message(Tasks({{3'000'000, 2'000'000, 4'000'000}})),
            "Task \"t0\" needs 3 ms but must be done after 2 ms; give it a "
            "longer deadline or less to do.");
  EXPECT_THAT(message(Tasks({{2, 3, 4, 2}})), HasSubstr("less jitter"));
  auto tasks = Tasks({{1, 2, 3}, {1, 2, 3}});
  tasks[1].name = "t0";
  EXPECT_THAT(message(tasks), HasSubstr("given twice"));
  tasks[1].name = "";
  EXPECT_THAT(message(tasks), HasSubstr("no name"));
  tasks[1].name = "b";
  tasks[1].memory_bytes = -1;
  EXPECT_THAT(message(tasks), HasSubstr("memory"));
  tasks[1].memory_bytes = 0;
  tasks[1].whole_cores = -1;
  EXPECT_THAT(message(tasks), HasSubstr("number of cores"));
  tasks[1].whole_cores = 0;
  tasks[1].cores = {-1};
  EXPECT_THAT(message(tasks), HasSubstr("negative core"));
}

TEST(TaskTest, OverheadsAreAdded) {
  const auto inflated = AddOverheads(Tasks({{10, 50, 50, 1}}), {3, 4});
  EXPECT_EQ(inflated->front().wcet_ns, 13);
  EXPECT_EQ(inflated->front().jitter_ns, 5);
  EXPECT_FALSE(AddOverheads(Tasks({{10, 50, 50}}), {-1, 0}).ok());
  EXPECT_FALSE(AddOverheads(Tasks({{10, 50, 50}}), {kLongestNs, 0}).ok());
}

TEST(FractionsTest, ComparesWithoutRounding) {
  const auto compare = [](const std::vector<Fraction>& parts, int64_t whole) {
    return CompareSum(parts, whole);
  };
  EXPECT_EQ(compare({}, 0), std::strong_ordering::equal);
  EXPECT_EQ(compare({{1, 3}, {1, 3}, {1, 3}}, 1), std::strong_ordering::equal);
  EXPECT_EQ(compare({{7, 3}, {2, 3}}, 3), std::strong_ordering::equal);
  EXPECT_EQ(compare({{1, 2}}, 1), std::strong_ordering::less);
  EXPECT_EQ(compare({{3, 2}}, 1), std::strong_ordering::greater);
  // 1/a + (a-2)/(a-1) differs from 1 by 1 / (a (a-1)), some 2^-124.
  const int64_t a = kLongestNs;
  EXPECT_EQ(compare({{1, a}, {static_cast<Uint128>(a) - 2, a - 1}}, 1),
            std::strong_ordering::less);
  EXPECT_EQ(compare({{1, a - 1}, {static_cast<Uint128>(a) - 1, a}}, 1),
            std::strong_ordering::greater);
}

TEST(FractionsTest, AgreesWithIntegersOnRandomSums) {
  stats::Random random(61);
  int equal = 0;
  for (int i = 0; i < kManySets; ++i) {
    const auto tasks = RandomTasks(
        {.most_tasks = 5, .least_load = 0.9, .most_load = 1.1}, &random);
    const int64_t hyperperiod = Hyperperiod(tasks);
    int64_t work = 0;
    for (const Task& task : tasks) {
      work += hyperperiod / task.period_ns * task.wcet_ns;
    }
    const auto order = CompareSum(UtilisationOf(tasks), 1);
    ASSERT_EQ(order, work <=> hyperperiod) << Show(tasks);
    equal += order == 0;
  }
  EXPECT_GT(equal, 100);
}

}  // namespace
}  // namespace edgewise::scheduling
