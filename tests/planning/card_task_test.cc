#include "planning/card_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Card Full() {
  Card card;
  card.name = "camera";
  card.period_ms = 20;
  card.deadline_ms = 15.5;
  card.wcet_ms = 5;
  card.rss_mb = 210;
  card.command = "./camera --size '640 480'";
  return card;
}

Result<scheduling::TaskWish> From(const Card& card,
                                  std::vector<std::string>* notes = nullptr) {
  std::vector<std::string> none;
  return WishFrom(card, "cards/c.yaml", {}, notes != nullptr ? notes : &none);
}

TEST(CardTaskTest, TimesCommandAndMemoryAreTheCards) {
  std::vector<std::string> notes;
  const auto wish = From(Full(), &notes);
  ASSERT_TRUE(wish) << wish.error().message;
  const PlannedTask& task = wish->task;
  EXPECT_EQ(task.name, "camera");
  EXPECT_EQ(task.period_ns, 20'000'000);
  EXPECT_EQ(task.deadline_ns, 15'500'000);
  EXPECT_EQ(task.wcet_ns, 5'000'000);
  EXPECT_EQ(task.memory_bytes, int64_t{210} << 20);
  EXPECT_THAT(task.command, ElementsAre("./camera", "--size", "640 480"));
  EXPECT_EQ(task.card, "cards/c.yaml");
  EXPECT_THAT(task.wcet_source, HasSubstr("cards/c.yaml: wcet_ms"));
  EXPECT_FALSE(task.process_per_job);
  EXPECT_EQ(wish->whole_cores, 0);
  EXPECT_THAT(notes, IsEmpty());
}

TEST(CardTaskTest, AMissingDeadlineIsThePeriod) {
  Card card = Full();
  card.deadline_ms.reset();
  EXPECT_EQ(From(card)->task.deadline_ns, 20'000'000);
}

TEST(CardTaskTest, AShareAboveOneCoreAsksForWholeOnes) {
  Card card = Full();
  for (const auto& [share, cores] :
       {std::pair{100.4, 0}, {101.0, 2}, {200.0, 2}, {230.0, 3}, {80.0, 0}}) {
    card.cpu_share_percent = share;
    EXPECT_EQ(From(card)->whole_cores, cores) << share;
  }
  card.resources.emplace();
  card.resources->cores = 4;
  EXPECT_EQ(From(card)->whole_cores, 4);
}

TEST(CardTaskTest, ACardOfAWholeProgramIsStartedOnceAJob) {
  Card card = Full();
  card.evidence.emplace();
  EXPECT_TRUE(From(card)->task.process_per_job);
  card.evidence->span = "frame";
  EXPECT_FALSE(From(card)->task.process_per_job);
}

TEST(CardTaskTest, WhatIsMissingOrImpossibleIsSaidWithTheFile) {
  Card card = Full();
  card.period_ms.reset();
  EXPECT_THAT(From(card).error().message,
              HasSubstr("cards/c.yaml: the card has no period_ms"));
  card = Full();
  card.wcet_ms = 16;
  EXPECT_THAT(From(card).error().message,
              HasSubstr("cards/c.yaml: a job takes 16 ms"));
  EXPECT_THAT(From(card).error().message, HasSubstr("due after 15.5 ms"));
  card = Full();
  card.command = "'unclosed";
  EXPECT_FALSE(From(card));
  card = Full();
  card.period_ms = 1e12;
  EXPECT_FALSE(From(card));
}

TEST(CardTaskTest, DoubtsAreNoted) {
  Card card = Full();
  card.command.clear();
  card.falsified = "plan.yaml: 18 ms, not 17";
  card.wcet_time = "cpu";
  std::vector<std::string> notes;
  ASSERT_TRUE(From(card, &notes));
  EXPECT_THAT(notes,
              ElementsAre(HasSubstr("spoken against"), HasSubstr("no command"),
                          HasSubstr("CPU time")));
}

TEST(CardTaskTest, TimesAreRoundedUpToWholeNanoseconds) {
  EXPECT_EQ(TaskTimeNs(4.9), 4'900'000);
  EXPECT_EQ(TaskTimeNs(0.0000011), 2);
  EXPECT_EQ(TaskTimeNs(1e-9), 1);
  EXPECT_FALSE(TaskTimeNs(0));
  EXPECT_FALSE(TaskTimeNs(-1));
  EXPECT_FALSE(TaskTimeNs(1e300));
}

}  // namespace
}  // namespace edgewise
