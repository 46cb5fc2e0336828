#include "planning/rtapp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Result<std::vector<scheduling::TaskWish>> Read(
    std::string_view json, std::vector<std::string>* notes = nullptr) {
  std::vector<std::string> none;
  return ReadRtApp(json, "set.json", notes != nullptr ? notes : &none);
}

TEST(RtAppTest, RunAndTimerBecomeATask) {
  std::vector<std::string> notes;
  const auto wishes = Read(R"({
    // comments are usual there
    "tasks": {
      "thread0": {"instance": 1, "loop": -1, "run": 20000,
                  "timer": {"ref": "unique", "period": 100000},
                  "cpus": [0, 2]},
      "thread1": {"run": 1500, "run2": 500, "timer": {"period": 16667}}
    },
    "global": {"duration": 2}
  })",
                           &notes);
  ASSERT_TRUE(wishes) << wishes.error().message;
  ASSERT_EQ(wishes->size(), 2);
  const auto& first = wishes->at(0);
  EXPECT_EQ(first.task.name, "thread0");
  EXPECT_EQ(first.task.wcet_ns, 20'000'000);
  EXPECT_EQ(first.task.period_ns, 100'000'000);
  EXPECT_EQ(first.task.deadline_ns, 100'000'000);
  EXPECT_THAT(first.allowed_cores, ElementsAre(0, 2));
  EXPECT_THAT(first.task.command, IsEmpty());
  EXPECT_EQ(wishes->at(1).task.wcet_ns, 2'000'000);
  EXPECT_EQ(wishes->at(1).task.period_ns, 16'667'000);
  EXPECT_THAT(notes, IsEmpty());
}

TEST(RtAppTest, DeadlineParametersCount) {
  const auto wishes = Read(R"({"tasks": {"d": {"policy": "SCHED_DEADLINE",
    "dl-runtime": 3000, "dl-period": 20000, "dl-deadline": 10000,
    "run": 2000, "timer": {"period": 30000}}}})");
  ASSERT_TRUE(wishes);
  const PlannedTask& task = wishes->at(0).task;
  EXPECT_EQ(task.wcet_ns, 3'000'000);
  EXPECT_EQ(task.period_ns, 20'000'000);
  EXPECT_EQ(task.deadline_ns, 10'000'000);
}

TEST(RtAppTest, OfSeveralPhasesTheLongestRunAndTheShortestPeriodCount) {
  const auto wishes = Read(R"({"tasks": {"p": {"phases": {
    "light": {"loop": 10, "run": 1000, "timer": {"period": 10000}},
    "heavy": {"loop": 10, "run": 6000, "timer": {"period": 40000}}}}}})");
  ASSERT_TRUE(wishes);
  EXPECT_EQ(wishes->at(0).task.wcet_ns, 6'000'000);
  EXPECT_EQ(wishes->at(0).task.period_ns, 10'000'000);
}

TEST(RtAppTest, InstancesAreTasksOfTheirOwn) {
  const auto wishes = Read(
      R"({"tasks": {"t": {"instance": 2, "run": 1, "timer": {"period": 9}}}})");
  ASSERT_TRUE(wishes);
  ASSERT_EQ(wishes->size(), 2);
  EXPECT_EQ(wishes->at(0).task.name, "t-0");
  EXPECT_EQ(wishes->at(1).task.name, "t-1");
}

TEST(RtAppTest, WhatAPlanCannotHoldIsNoted) {
  std::vector<std::string> notes;
  ASSERT_TRUE(Read(R"({"tasks": {"t": {"lock": "m", "run": 10, "unlock": "m",
    "sleep": 100, "timer": {"period": 1000}}}})",
                   &notes));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("`lock`"), HasSubstr("`sleep`"),
                                 HasSubstr("`unlock`")));
}

TEST(RtAppTest, WhatIsNoTaskFileIsRefusedInOneSentence) {
  for (const auto& [json, words] :
       {std::pair{"{", "no JSON"},
        {"[]", "an object `tasks`"},
        {R"({"tasks": {}})", "an object `tasks`"},
        {R"({"tasks": {"t": 3}})", "task t is no object"},
        {R"({"tasks": {"t": {"run": 10}}})", "task t has no period"},
        {R"({"tasks": {"t": {"timer": {"period": 10}}}})",
         "task t needs a `run`"},
        {R"({"tasks": {"t": {"run": 10, "timer": {"period": 0}}}})", "above 0"},
        {R"({"tasks": {"t": {"run": "x", "timer": {"period": 5}}}})", "`run`"},
        {R"({"tasks": {"t": {"run": 1, "timer": {}}}})", "timer"},
        {R"({"tasks": {"t": {"instance": 9999999, "run": 1,
             "timer": {"period": 9}}}})",
         "instance"},
        {R"({"tasks": {"t": {"cpus": [-1], "run": 1,
             "timer": {"period": 9}}}})",
         "cpus"}}) {
    const auto wishes = Read(json);
    ASSERT_FALSE(wishes) << json;
    EXPECT_THAT(wishes.error().message, HasSubstr(words));
    EXPECT_THAT(wishes.error().message, HasSubstr("set.json: "));
  }
}

}  // namespace
}  // namespace edgewise
