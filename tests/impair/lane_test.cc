#include "impair/lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace edgewise {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kStart = 1'000'000'000'000;

Impairment Parsed(const char* text) { return *ParseImpairment(text); }

TEST(LaneTest, WithNothingAskedNothingWaits) {
  RateLimit rate(std::nullopt);
  EXPECT_TRUE(Lane(Impairment(), 1, &rate).transparent());
  EXPECT_TRUE(Lane(Parsed("disconnect=every:1s"), 1, &rate).transparent());
  EXPECT_FALSE(Lane(Parsed("delay=1ns"), 1, &rate).transparent());
  EXPECT_FALSE(Lane(Parsed("loss=1%"), 1, &rate).transparent());
}

TEST(LaneTest, DelayIsAddedOnce) {
  RateLimit rate(std::nullopt);
  Lane lane(Parsed("delay=40ms"), 1, &rate);
  EXPECT_EQ(lane.Pass(kStart, 100'000, 0).due_ns, kStart + 40 * kMs);
  EXPECT_EQ(lane.Pass(kStart + 5, 1, 0).due_ns, kStart + 5 + 40 * kMs);
  EXPECT_EQ(lane.PassEnd(kStart + 6), kStart + 6 + 40 * kMs);
}

TEST(LaneTest, JitterStaysInItsRangeAndNeverReorders) {
  RateLimit rate(std::nullopt);
  Lane lane(Parsed("delay=40ms,jitter=30ms"), 7, &rate);
  int64_t least = INT64_MAX;
  int64_t most = 0;
  int64_t last = 0;
  for (int64_t i = 0; i < 1000; ++i) {
    // Far apart, so that order does not force anything.
    const int64_t now = kStart + i * 100 * kMs;
    const int64_t due = lane.Pass(now, 1, 0).due_ns;
    least = std::min(least, due - now);
    most = std::max(most, due - now);
  }
  EXPECT_GE(least, 10 * kMs);
  EXPECT_LT(least, 11 * kMs) << "the whole range is used";
  EXPECT_LE(most, 70 * kMs);
  EXPECT_GT(most, 69 * kMs);
  for (int64_t i = 0; i < 1000; ++i) {
    const int64_t due = lane.Pass(kStart + 200'000 * kMs + i, 1, 0).due_ns;
    ASSERT_GE(due, last);
    last = due;
  }
}

TEST(LaneTest, TheRateIsSharedByAllConnections) {
  const Impairment impairment = Parsed("rate=8mbit");  // one byte a microsecond
  RateLimit rate(impairment.rate_bits_per_s);
  Lane one(impairment, 1, &rate);
  Lane other(impairment, 2, &rate);
  EXPECT_TRUE(one.in_segments());
  EXPECT_EQ(one.Pass(kStart, 1000, 0).due_ns, kStart + 1 * kMs);
  EXPECT_EQ(other.Pass(kStart, 1000, 0).due_ns, kStart + 2 * kMs);
  EXPECT_EQ(one.Pass(kStart, 1000, 0).due_ns, kStart + 3 * kMs);
  // An idle link saves nothing up.
  EXPECT_EQ(one.Pass(kStart + 10 * kMs, 1000, 0).due_ns, kStart + 11 * kMs);
}

TEST(LaneTest, LossIsAsFrequentAsAsked) {
  RateLimit rate(std::nullopt);
  Lane lane(Parsed("loss=2%"), 3, &rate);
  constexpr int kSegments = 100'000;
  int lost = 0;
  for (int i = 0; i < kSegments; ++i) {
    lost += lane.Pass(kStart, kSegmentBytes, 0).lost ? 1 : 0;
  }
  // Five standard deviations of the binomial distribution.
  EXPECT_NEAR(lost, 2000, 5 * std::sqrt(kSegments * 0.02 * 0.98));
}

// The first loss of a fresh lane: how late the segment is.
int64_t FirstLateNs(const char* text, int64_t following) {
  RateLimit rate(std::nullopt);
  const Impairment impairment = Parsed(text);
  for (uint64_t seed = 1;; ++seed) {
    Lane lane(impairment, seed, &rate);
    const auto passage = lane.Pass(kStart, 100, following);
    if (passage.lost) {
      return passage.due_ns - kStart - impairment.delay_ns;
    }
  }
}

TEST(LaneTest, ALoneSegmentIsSentAgainAfterTheTimeout) {
  EXPECT_EQ(FirstLateNs("loss=0.1%", 0), 200 * kMs);
  EXPECT_EQ(FirstLateNs("delay=10ms,loss=0.1%", 2), 200 * kMs);
  EXPECT_EQ(FirstLateNs("delay=100ms,loss=0.1%", 0), 400 * kMs)
      << "two round trips";
}

TEST(LaneTest, WithOthersBehindItIsSentAgainAfterARoundTrip) {
  EXPECT_EQ(FirstLateNs("delay=10ms,loss=0.1%", 3), 20 * kMs);
  EXPECT_EQ(FirstLateNs("loss=0.1%", 40), 1 * kMs);
}

TEST(LaneTest, WhatIsSentAgainMayBeLostAgain) {
  RateLimit rate(std::nullopt);
  int64_t most = 0;
  for (uint64_t seed = 1; seed < 1000; ++seed) {
    Lane lane(Parsed("loss=50%"), seed, &rate);
    const int64_t late = lane.Pass(kStart, 100, 0).due_ns - kStart;
    // 0, then 200 ms, then 400 ms more, then 800 ms more ...
    EXPECT_EQ(late % (200 * kMs), 0);
    most = std::max(most, late);
  }
  EXPECT_GE(most, (200 + 400 + 800) * kMs);
}

TEST(LaneTest, EverythingBehindALostSegmentWaits) {
  RateLimit rate(std::nullopt);
  Lane lane(Parsed("loss=10%"), 5, &rate);
  int64_t last = 0;
  for (int i = 0; i < 1000; ++i) {
    const int64_t due = lane.Pass(kStart + i, kSegmentBytes, 0).due_ns;
    ASSERT_GE(due, last);
    last = due;
  }
  EXPECT_GE(last, kStart + 200 * kMs);
  EXPECT_EQ(lane.PassEnd(kStart + 1000), last);
}

TEST(LaneTest, TheSameSeedMeetsTheSameFate) {
  const Impairment impairment = Parsed("delay=5ms,jitter=5ms,loss=20%");
  RateLimit rate(std::nullopt);
  Lane one(impairment, 11, &rate);
  Lane same(impairment, 11, &rate);
  Lane other(impairment, 12, &rate);
  int differ = 0;
  for (int i = 0; i < 100; ++i) {
    const int64_t now = kStart + i * 100'000 * kMs;
    const int64_t due = one.Pass(now, 1, 0).due_ns;
    ASSERT_EQ(due, same.Pass(now, 1, 0).due_ns);
    differ += due == other.Pass(now, 1, 0).due_ns ? 0 : 1;
  }
  EXPECT_GT(differ, 90);
}

}  // namespace
}  // namespace edgewise
