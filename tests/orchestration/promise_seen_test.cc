#include "orchestration/promise_seen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stats/random.h"

namespace edgewise::orchestration {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kFastNs = 1e6;
constexpr double kSlowNs = 5e6;
constexpr int64_t kDelayNs = 2'000'000;

// Every so-many-th is slow; the others differ a little.
std::vector<double> Times(size_t count, size_t slow_every, double slow_ns) {
  stats::Random random(1);
  std::vector<double> times;
  for (size_t i = 1; i <= count; ++i) {
    times.push_back(slow_every > 0 && i % slow_every == 0
                        ? slow_ns
                        : kFastNs * (1 + 0.1 * random.Uniform()));
  }
  return times;
}

TEST(PromiseSeenTest, AllLateIsBrokenHoweverFew) {
  for (const size_t count : {3U, 20U, 258U}) {
    const PromiseSeen seen =
        SeePromise({0.99, kDelayNs}, Times(count, 1, kSlowNs));
    EXPECT_EQ(seen.verdict, Verdict::kBroken) << count;
    EXPECT_EQ(SeePromise({0.99, kDelayNs}, Times(count, 1, kNever)).verdict,
              Verdict::kBroken);
  }
}

TEST(PromiseSeenTest, AQueueThatGrowsIsBroken) {
  std::vector<double> times;
  for (int i = 0; i < 100; ++i) {
    times.push_back(kSlowNs + 1e6 * i);
  }
  EXPECT_EQ(SeePromise({0.99, kDelayNs}, times).verdict, Verdict::kBroken);
}

TEST(PromiseSeenTest, ALateOneAmongFewSaysNothing) {
  // As it happens to one of ten that keep a p99.
  const PromiseSeen seen = SeePromise({0.99, kDelayNs}, Times(10, 10, kSlowNs));
  EXPECT_EQ(seen.late, 1);
  EXPECT_EQ(seen.verdict, Verdict::kUnknown);
  EXPECT_FALSE(seen.quantile_ns);
}

TEST(PromiseSeenTest, APromiseThatJustHoldsIsRarelySurelyBroken) {
  stats::Random random(3);
  int broken = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> times;
    for (int i = 0; i < 150; ++i) {
      times.push_back(random.Uniform() < 0.99 ? kFastNs : kSlowNs);
    }
    broken += SeePromise({0.99, kDelayNs}, times).verdict == Verdict::kBroken;
  }
  EXPECT_LE(broken, 25) << "expected are at most 10 of 200";
}

TEST(PromiseSeenTest, APromiseThatIsJustBrokenIsRarelyCalledKept) {
  stats::Random random(4);
  int kept = 0;
  int broken = 0;
  int close = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> times;
    for (int i = 0; i < 400; ++i) {
      times.push_back(random.Uniform() < 0.949 ? kFastNs : kSlowNs);
    }
    const Verdict verdict = SeePromise({0.95, kDelayNs}, times).verdict;
    kept += verdict == Verdict::kKept;
    broken += verdict == Verdict::kBroken;
    close += verdict == Verdict::kClose;
  }
  EXPECT_LE(kept, 25) << "expected are at most 15 of 300";
  EXPECT_LE(broken, 35);
  EXPECT_GE(close, 200);
}

TEST(PromiseSeenTest, KeptTakesEnoughRequestsOfWhichNoneIsLate) {
  const Sla sla{0.95, kDelayNs};
  const auto needed = static_cast<size_t>(RequestsForVerdict(sla));
  EXPECT_EQ(needed, 59U);
  const PromiseSeen few = SeePromise(sla, Times(needed - 1, 0, 0));
  EXPECT_EQ(few.verdict, Verdict::kUnknown);
  EXPECT_EQ(few.needed, 59);
  const PromiseSeen kept = SeePromise(sla, Times(needed, 0, 0));
  EXPECT_EQ(kept.verdict, Verdict::kKept);
  EXPECT_EQ(SeePromise(sla, {}).verdict, Verdict::kUnknown);
}

TEST(PromiseSeenTest, RequestsThatResembleTheirNeighboursAreWorthLess) {
  stats::Random random(5);
  std::vector<double> times;
  double level = 0;
  for (int i = 0; i < 100; ++i) {
    level = 0.97 * level + random.Uniform() - 0.5;
    times.push_back(kFastNs + 1e4 * level);
  }
  const PromiseSeen seen = SeePromise({0.95, kDelayNs}, times);
  EXPECT_EQ(seen.late, 0);
  EXPECT_EQ(seen.verdict, Verdict::kUnknown);
  EXPECT_GT(seen.needed, 150);
}

TEST(PromiseSeenTest, RefusedOnesStandWhereTheQueueWasLongest) {
  EXPECT_EQ(WithRefused({1, 2, 3, 4}, {0, 9, 1, 9}, 3),
            (std::vector<double>{1, 2, kNever, 3, 4, kNever, kNever}));
  EXPECT_EQ(WithRefused({1, 2}, {0, 1}, 0), (std::vector<double>{1, 2}));
  EXPECT_EQ(WithRefused({}, {}, 2), (std::vector<double>{kNever, kNever}));
}

TEST(PromiseSeenTest, TheTimeForAVerdictGrowsWithTheQuantile) {
  Request request;
  request.rate_per_s = 2;
  request.replicas = 2;
  request.sla = {0.99, 1'000'000'000};
  const double seconds =
      SecondsForRequests(request, RequestsForVerdict(request.sla));
  EXPECT_NEAR(seconds, (299 + 2 * std::sqrt(299.0)) / 4 + 1, 1e-9);
}

}  // namespace
}  // namespace edgewise::orchestration
