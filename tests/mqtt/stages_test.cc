#include "mqtt/stages.h"

#include <gtest/gtest.h>

#include <vector>

namespace edgewise::mqtt {
namespace {

constexpr uint64_t kHere = 1;
constexpr uint64_t kElsewhere = 2;
constexpr int64_t kSecond = 1'000'000'000;

const clocks::ClockEstimate* NoClock(uint64_t) { return nullptr; }

Message ResultOnOneHost() {
  Message message;
  message.t_pub_ns = 1000 * kSecond;
  message.host = kHere;
  message.m_due_ns = 100;
  message.m_pub_ns = 110;
  message.t_done_ns = 1000 * kSecond;
  message.processor = kHere;
  message.m_recv_ns = 150;
  message.m_start_ns = 170;
  message.m_done_ns = 300;
  message.m_reply_ns = 305;
  return message;
}

int64_t Length(const StageTimes& stages, Stage stage) {
  const auto& time = stages[static_cast<size_t>(stage)];
  return time ? time->length_ns : -1;
}

TEST(StagesTest, TheStagesOfThePathAddUpToTheTotal) {
  const StageTimes stages =
      StagesOf(ResultOnOneHost(), {400, 1000 * kSecond, kHere}, NoClock);
  EXPECT_EQ(Length(stages, Stage::kLate), 10);
  EXPECT_EQ(Length(stages, Stage::kToProcessor), 40);
  EXPECT_EQ(Length(stages, Stage::kQueue), 20);
  EXPECT_EQ(Length(stages, Stage::kWork), 130);
  EXPECT_EQ(Length(stages, Stage::kReply), 5);
  EXPECT_EQ(Length(stages, Stage::kToConsumer), 95);
  EXPECT_EQ(Length(stages, Stage::kTotal), 300);
  EXPECT_EQ(Length(stages, Stage::kNaive), 290);
  EXPECT_FALSE(stages[static_cast<size_t>(Stage::kToDone)]);
  int64_t sum = 0;
  for (const Stage stage : kAllStages) {
    sum += OnPath(stage) && stages[static_cast<size_t>(stage)]
               ? Length(stages, stage)
               : 0;
  }
  EXPECT_EQ(sum, 300);
  EXPECT_EQ(stages[static_cast<size_t>(Stage::kWork)]->start_ns, 170);
}

TEST(StagesTest, WithoutAProcessorTheWayToTheConsumerIsAll) {
  Message message = ResultOnOneHost();
  message.t_done_ns.reset();
  const StageTimes stages =
      StagesOf(message, {400, 1000 * kSecond, kHere}, NoClock);
  EXPECT_EQ(Length(stages, Stage::kLate), 10);
  EXPECT_EQ(Length(stages, Stage::kToConsumer), 290);
  EXPECT_EQ(Length(stages, Stage::kTotal), 300);
  EXPECT_FALSE(stages[static_cast<size_t>(Stage::kWork)]);
}

TEST(StagesTest, OfTheLabsMessagesThreeTimesAreKnown) {
  Message message;
  message.t_pub_ns = 1000;
  message.t_done_ns = 1700;
  const StageTimes stages = StagesOf(message, {50, 2000, kHere}, NoClock);
  EXPECT_EQ(Length(stages, Stage::kToDone), 700);
  EXPECT_EQ(Length(stages, Stage::kToConsumer), 300);
  EXPECT_EQ(Length(stages, Stage::kNaive), 1000);
  EXPECT_FALSE(stages[static_cast<size_t>(Stage::kTotal)]);
  EXPECT_FALSE(stages[static_cast<size_t>(Stage::kQueue)]);
}

TEST(StagesTest, AnotherHostWithoutAKnownClockHasOnlyItsOwnLengths) {
  Message message = ResultOnOneHost();
  message.host = kElsewhere;
  const StageTimes stages =
      StagesOf(message, {400, 1000 * kSecond, kHere}, NoClock);
  EXPECT_EQ(Length(stages, Stage::kLate), 10);
  EXPECT_FALSE(stages[static_cast<size_t>(Stage::kToProcessor)]);
  EXPECT_FALSE(stages[static_cast<size_t>(Stage::kTotal)]);
  EXPECT_EQ(Length(stages, Stage::kToConsumer), 95);
}

TEST(StagesTest, AnotherHostsClockIsCorrectedWithABound) {
  // Its clock is ten seconds ahead; exchanges take 2 ms there and back.
  std::vector<clocks::Exchange> exchanges;
  for (int64_t i = 0; i < 20; ++i) {
    const int64_t t0 = 500 * kSecond + i * kSecond / 10;
    const int64_t ahead = t0 + 10 * kSecond;
    exchanges.push_back(
        {t0, ahead + 1'000'000, ahead + 1'100'000, t0 + 2'100'000});
  }
  const auto estimate = clocks::Estimate(exchanges);
  ASSERT_TRUE(estimate) << estimate.error().message;
  Message message;
  message.host = kElsewhere;
  message.t_pub_ns = 511 * kSecond;
  message.m_pub_ns = 40;
  message.m_due_ns = 0;
  // Received 30 ms later on our clock.
  const Arrival arrival{7 * kSecond, 501 * kSecond + 30'000'000, kHere};
  const StageTimes stages = StagesOf(message, arrival, [&](uint64_t host) {
    return host == kElsewhere ? &*estimate : nullptr;
  });
  const auto& way = stages[static_cast<size_t>(Stage::kToConsumer)];
  ASSERT_TRUE(way);
  EXPECT_GT(way->bound_ns, 0);
  EXPECT_LE(way->bound_ns, 2'000'000);
  EXPECT_NEAR(static_cast<double>(way->length_ns), 30e6,
              static_cast<double>(way->bound_ns) + 1);
  EXPECT_EQ(way->start_ns + way->length_ns, arrival.m_ns);
  EXPECT_EQ(stages[static_cast<size_t>(Stage::kLate)]->length_ns, 40);
  EXPECT_EQ(stages[static_cast<size_t>(Stage::kLate)]->bound_ns, 0);
}

}  // namespace
}  // namespace edgewise::mqtt
