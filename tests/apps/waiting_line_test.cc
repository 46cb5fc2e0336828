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
  EXPECT_FALSE(line.Take());
  line.AdmitUntil(500);  // nobody looked until now
  for (const int64_t expected : {10, 20, 30}) {
    const auto request = line.Take();
    ASSERT_TRUE(request);
    EXPECT_EQ(request->arrival_ns, expected);
  }
  EXPECT_FALSE(line.Take());
  EXPECT_EQ(line.NextArrivalNs(), 1000);
  EXPECT_EQ(line.arrived(), 3);
}

TEST(WaitingLineTest, EachKnowsWhatItFoundAndHowLongAfterTheOneBefore) {
  WaitingLine line(At({10, 25, 26}), 10, [](const Request&) {});
  line.AdmitUntil(100);
  const auto first = line.Take();
  const auto second = line.Take();
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(first->interarrival_ns);
  EXPECT_EQ(second->interarrival_ns, 15);
  EXPECT_EQ(first->queue_length, 0);
  EXPECT_EQ(second->queue_length, 1);
  EXPECT_EQ(second->number, 1u);
}

TEST(WaitingLineTest, WhatFindsItFullIsDropped) {
  std::vector<uint64_t> dropped;
  WaitingLine line(At({1, 2, 3, 4, 5, 60}), 2, [&](const Request& request) {
    dropped.push_back(request.number);
  });
  line.AdmitUntil(3);
  (void)line.Take();  // makes room for one
  line.AdmitUntil(50);
  EXPECT_THAT(dropped, testing::ElementsAre(2, 4));
  line.AdmitUntil(100);
  EXPECT_THAT(dropped, testing::ElementsAre(2, 4, 5));
  EXPECT_EQ(line.arrived(), 6);
  EXPECT_FALSE(line.NextArrivalNs());
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

}  // namespace
}  // namespace edgewise::apps
