#include "tenant/waiting_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace edgewise::apps {
namespace {

WaitingLine::Source At(std::vector<int64_t> times) {
  return [times = std::move(times), next = size_t{0}]() mutable {
    return next < times.size() ? std::optional(times[next++]) : std::nullopt;
  };
}

TEST(WaitingLineTest, ArrivalsHappenWhetherOrNotAnybodyLooks) {
  WaitingLine line(At({10, 20, 30, 1000}), 10, [](const Request&) {});
  EXPECT_FALSE(line.Serve());
  line.AdmitUntil(500);  // nobody looked until now
  for (const int64_t expected : {10, 20, 30}) {
    const auto request = line.Serve();
    ASSERT_TRUE(request);
    EXPECT_EQ(request->arrival_ns, expected);
    line.Finish(500);
  }
  EXPECT_FALSE(line.Serve());
  EXPECT_EQ(line.NextArrivalNs(), 1000);
  EXPECT_EQ(line.arrived(), 3);
}

TEST(WaitingLineTest, EachKnowsWhatItFoundAndHowLongAfterTheOneBefore) {
  WaitingLine line(At({10, 25, 26}), 10, [](const Request&) {});
  line.AdmitUntil(100);
  std::vector<Request> requests;
  while (const auto request = line.Serve()) {
    requests.push_back(*request);
    line.Finish(200);
  }
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_FALSE(requests[0].interarrival_ns);
  EXPECT_EQ(requests[1].interarrival_ns, 15);
  EXPECT_EQ(requests[1].number, 1u);
  // The first one found nobody and is served; it does not wait.
  EXPECT_EQ(requests[0].queue_length, 0);
  EXPECT_EQ(requests[1].queue_length, 0);
  EXPECT_EQ(requests[2].queue_length, 1);
}

TEST(WaitingLineTest, WhatFindsItFullIsDropped) {
  std::vector<uint64_t> dropped;
  WaitingLine line(At({1, 2, 3, 4, 5, 60}), 2, [&](const Request& request) {
    dropped.push_back(request.number);
  });
  line.AdmitUntil(1);
  EXPECT_TRUE(line.Serve());
  line.Finish(4);  // 2 and 3 wait, 4 finds them; then 2 is called
  EXPECT_THAT(dropped, testing::ElementsAre(3));
  line.AdmitUntil(50);
  EXPECT_THAT(dropped, testing::ElementsAre(3));
  line.AdmitUntil(100);
  EXPECT_THAT(dropped, testing::ElementsAre(3, 5));
  EXPECT_EQ(line.arrived(), 6);
  EXPECT_FALSE(line.NextArrivalNs());
  for (const uint64_t expected : {1, 2, 4}) {
    EXPECT_EQ(line.TakeLeft().value().number, expected);
  }
  EXPECT_FALSE(line.TakeLeft());
}

TEST(WaitingLineTest, WithoutRoomToWaitOnlyWhoFindsItBusyIsDropped) {
  std::vector<uint64_t> dropped;
  WaitingLine line(At({10, 20, 30, 40}), 0, [&](const Request& request) {
    dropped.push_back(request.number);
  });
  line.AdmitUntil(15);
  EXPECT_EQ(line.Serve().value().number, 0u);
  line.Finish(25);
  EXPECT_THAT(dropped, testing::ElementsAre(1));
  // It wakes up late: the third is served, the fourth finds it so.
  line.AdmitUntil(45);
  EXPECT_EQ(line.Serve().value().number, 2u);
  EXPECT_THAT(dropped, testing::ElementsAre(1, 3));
}

TEST(PoissonArrivalsTest, MeanAndSpreadOfGapsAreThoseOfThePoissonProcess) {
  auto source = PoissonArrivals(1000, 7, 5'000'000, 20'000);
  double sum = 0;
  double squares = 0;
  int64_t last = 5'000'000;
  int count = 0;
  while (const auto at = source()) {
    const double gap = static_cast<double>(*at - last);
    EXPECT_GE(gap, 0);
    sum += gap;
    squares += gap * gap;
    last = *at;
    ++count;
  }
  EXPECT_EQ(count, 20'000);
  const double mean = sum / count;
  EXPECT_NEAR(mean, 1e6, 4e4);  // more than five standard errors
  EXPECT_NEAR(squares / count / (mean * mean), 2, 0.2);
}

TEST(PoissonArrivalsTest, WhatNeverComesIsFarAwayNotLongAgo) {
  auto source = PoissonArrivals(1e-12, 7, 5'000'000, std::nullopt);
  int64_t last = 5'000'000;
  for (int i = 0; i < 5; ++i) {
    const auto at = source();
    ASSERT_TRUE(at);
    EXPECT_GE(*at, last);
    last = *at;
  }
  EXPECT_GT(last, int64_t{1} << 60);
}

}  // namespace
}  // namespace edgewise::apps
