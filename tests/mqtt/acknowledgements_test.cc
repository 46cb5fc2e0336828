#include "mqtt/paho/acknowledgements.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace edgewise::mqtt {
namespace {

TEST(AcknowledgementsTest, AnAnswerAfterThePublishCallHasItsCookie) {
  Acknowledgements all;
  EXPECT_FALSE(all.Sent(7, 1000));
  const auto answer = all.Answered(7, 55, 149);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->cookie, 1000u);
  EXPECT_EQ(answer->at_ns, 55);
  EXPECT_EQ(answer->reason, 149);
  EXPECT_FALSE(all.Answered(7, 56, 0)) << "answered twice";
}

TEST(AcknowledgementsTest, AnAnswerBeforeThePublishCallReturnsIsKept) {
  Acknowledgements all;
  EXPECT_FALSE(all.Answered(7, 55, 0));
  const auto answer = all.Sent(7, 0);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->cookie, 0u);
  EXPECT_EQ(answer->at_ns, 55);
  EXPECT_FALSE(all.Sent(7, 1)) << "the number is used again";
}

TEST(AcknowledgementsTest, EveryMessageIsAnsweredOnceWhicheverThreadIsFirst) {
  Acknowledgements all;
  constexpr int kMessages = 50'000;
  std::atomic<int> told{0};
  std::thread broker([&] {
    for (int number = 1; number <= kMessages; ++number) {
      told += all.Answered(number, number, 0) ? 1 : 0;
    }
  });
  for (int number = 1; number <= kMessages; ++number) {
    const auto answer = all.Sent(number, static_cast<uint64_t>(number));
    if (answer) {
      EXPECT_EQ(answer->at_ns, number);
      ++told;
    }
  }
  broker.join();
  EXPECT_EQ(told, kMessages);
}

}  // namespace
}  // namespace edgewise::mqtt
