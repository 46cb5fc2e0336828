// Simulated clocks and paths: whatever they do, the truth lies within the
// bound.
#include "clocks/offset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "stats/random.h"

namespace edgewise::clocks {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMs = 1'000'000;
// Local times begin here, as UTC does somewhere.
constexpr int64_t kEpoch = 1'790'000'000 * kSecond;

// A remote clock as it is against the local one.
struct RemoteClock {
  double skew_ns = 0;
  double drift_ppm = 0;
  double wander_ppm = 0;
  double wander_period_s = 60;

  double OffsetAt(int64_t local_ns) const {
    const auto since_ns = static_cast<double>(local_ns - kEpoch);
    const double turn = 2 * std::numbers::pi / (wander_period_s * 1e9);
    return skew_ns + drift_ppm * 1e-6 * since_ns +
           wander_ppm * 1e-6 / turn * std::sin(turn * since_ns);
  }
  int64_t Read(int64_t local_ns) const {
    return local_ns + static_cast<int64_t>(std::floor(OffsetAt(local_ns)));
  }
};

// How long messages take there and back: at least so long, and with queues.
struct Path {
  double there_ns = 200e3;
  double back_ns = 200e3;
  double queue_ns = 0;   // mean of an exponential wait
  double jam_share = 0;  // of messages that wait jam_ns more
  double jam_ns = 500e6;

  int64_t Take(double least_ns, stats::Random* random) const {
    double ns = least_ns - queue_ns * std::log(random->Uniform());
    ns += random->Uniform() < jam_share ? jam_ns * random->Uniform() : 0;
    return static_cast<int64_t>(ns);
  }
};

Exchange Ask(const RemoteClock& clock, const Path& path, int64_t at_ns,
             stats::Random* random) {
  const int64_t arrives_ns = at_ns + path.Take(path.there_ns, random);
  const int64_t answers_ns =
      arrives_ns + static_cast<int64_t>(100e3 * random->Uniform());
  const int64_t returns_ns = answers_ns + path.Take(path.back_ns, random);
  return {at_ns, clock.Read(arrives_ns), clock.Read(answers_ns), returns_ns};
}

std::vector<Exchange> AskMany(const RemoteClock& clock, const Path& path,
                              int count, int64_t every_ns,
                              stats::Random* random) {
  std::vector<Exchange> exchanges;
  for (int i = 0; i < count; ++i) {
    exchanges.push_back(Ask(clock, path, kEpoch + i * every_ns, random));
  }
  return exchanges;
}

// How far beyond its bound the estimate is from the truth, at most, over times
// from ten seconds before to ten seconds after the exchanges; negative is good.
double WorstExcessNs(const ClockEstimate& estimate, const RemoteClock& clock,
                     stats::Random* random) {
  double worst = -1e18;
  const int64_t from_ns = estimate.first_ns() - 10 * kSecond;
  const int64_t to_ns = estimate.last_ns() + 10 * kSecond;
  for (int i = 0; i < 50; ++i) {
    const int64_t at_ns =
        from_ns + static_cast<int64_t>(random->Uniform() *
                                       static_cast<double>(to_ns - from_ns));
    const auto [offset_ns, bound_ns] = estimate.At(at_ns);
    // Half a nanosecond of doubles near 10^18 is not of interest.
    worst = std::max(
        worst, std::abs(offset_ns - clock.OffsetAt(at_ns)) - bound_ns - 256);
    const Moment moment = estimate.ToLocal(clock.Read(at_ns));
    worst =
        std::max(worst, std::abs(static_cast<double>(moment.at_ns - at_ns)) -
                            static_cast<double>(moment.bound_ns) - 256);
  }
  return worst;
}

double Between(double low, double high, stats::Random* random) {
  return low + (high - low) * random->Uniform();
}

TEST(OffsetTest, TheTruthAlwaysLiesWithinTheBound) {
  stats::Random random(2026);
  for (int i = 0; i < 2000; ++i) {
    RemoteClock clock;
    clock.skew_ns =
        Between(-1, 1, &random) * std::pow(10, Between(0, 17, &random));
    clock.drift_ppm = Between(-300, 300, &random);
    clock.wander_ppm = Between(0, 0.9, &random);
    clock.wander_period_s = Between(5, 500, &random);
    Path path;
    path.there_ns = std::pow(10, Between(3, 8, &random));
    path.back_ns = std::pow(10, Between(3, 8, &random));
    path.queue_ns = random.Below(2) * std::pow(10, Between(3, 7, &random));
    path.jam_share = random.Below(2) * Between(0, 0.5, &random);
    const int count = 1 + static_cast<int>(random.Below(200));
    const auto every_ns =
        static_cast<int64_t>(std::pow(10, Between(6, 9.3, &random)));
    const auto estimate =
        Estimate(AskMany(clock, path, count, every_ns, &random));
    ASSERT_TRUE(estimate.ok()) << i << ": " << estimate.error().message;
    EXPECT_EQ(estimate->exchanges(), count);
    ASSERT_LE(WorstExcessNs(*estimate, clock, &random), 0)
        << "clock " << i << ": skew " << clock.skew_ns << " ns, drift "
        << clock.drift_ppm << " ppm, wander " << clock.wander_ppm << " ppm, "
        << count << " exchanges every " << every_ns << " ns, there "
        << path.there_ns << " ns, back " << path.back_ns << " ns";
    EXPECT_LE(std::abs(estimate->drift_ppm() - clock.drift_ppm),
              estimate->drift_bound_ppm() + 1e-3)
        << i;
  }
}

TEST(OffsetTest, TheBoundIsHalfTheBestRoundTripAndLittleMore) {
  stats::Random random(7);
  RemoteClock clock;
  clock.skew_ns = 3e9;
  clock.drift_ppm = 40;
  Path path;
  path.queue_ns = 1e6;  // most exchanges are five times as long as the best
  path.jam_share = 0.1;
  const auto estimate = Estimate(AskMany(clock, path, 300, 100 * kMs, &random));
  ASSERT_TRUE(estimate.ok());
  for (int64_t at = 0; at < 30; ++at) {
    EXPECT_LT(estimate->At(kEpoch + at * kSecond).bound_ns, 500e3);
  }
  EXPECT_NEAR(estimate->drift_ppm(), 40, estimate->drift_bound_ppm());
  EXPECT_LT(estimate->drift_bound_ppm(), 60);
}

TEST(OffsetTest, LongerObservationNarrowsTheDrift) {
  stats::Random random(8);
  RemoteClock clock;
  clock.drift_ppm = -120;
  double before = 1e9;
  for (const int count : {2, 10, 100, 1000}) {
    const auto estimate =
        Estimate(AskMany(clock, Path(), count, kSecond, &random));
    ASSERT_TRUE(estimate.ok());
    EXPECT_LT(estimate->drift_bound_ppm(), before);
    before = estimate->drift_bound_ppm();
  }
  EXPECT_LT(before, 3);
}

TEST(OffsetTest, OneExchangeIsEnough) {
  const Exchange exchange{kEpoch, kEpoch + 5 * kMs, kEpoch + 6 * kMs,
                          kEpoch + 3 * kMs};
  const auto estimate = Estimate(std::vector{exchange});
  ASSERT_TRUE(estimate.ok());
  const auto offset = estimate->At(kEpoch);
  EXPECT_NEAR(offset.offset_ns, 4e6, 1e3);
  EXPECT_NEAR(offset.bound_ns, 1e6, 2e3) << "half of the 2 ms on the way";
  // Nothing is known of the drift but that no clock is worse.
  EXPECT_NEAR(estimate->drift_bound_ppm(), 500, 1);
  EXPECT_NEAR(estimate->At(kEpoch + 10 * kSecond).bound_ns, 6e6, 2e4);
}

TEST(OffsetTest, AnAsymmetricPathIsCoveredByTheBound) {
  stats::Random random(9);
  Path path;
  path.there_ns = 40e6;
  path.back_ns = 10e3;
  RemoteClock clock;
  const auto estimate = Estimate(AskMany(clock, path, 50, 100 * kMs, &random));
  ASSERT_TRUE(estimate.ok());
  const auto offset = estimate->At(kEpoch + kSecond);
  EXPECT_GT(std::abs(offset.offset_ns), 15e6) << "nobody could know";
  EXPECT_LE(std::abs(offset.offset_ns), offset.bound_ns);
}

TEST(OffsetTest, ImpossibleExchangesAreLeftOutAndCounted) {
  stats::Random random(10);
  RemoteClock clock;
  clock.skew_ns = 1e9;
  auto exchanges = AskMany(clock, Path(), 20, 100 * kMs, &random);
  exchanges.push_back({kEpoch + 5, kEpoch, kEpoch, kEpoch + 4});
  exchanges.push_back({kEpoch, kEpoch + 9, kEpoch + 8, kEpoch + 9});
  exchanges.push_back({kEpoch, kEpoch, kEpoch + kSecond, kEpoch + kMs});
  exchanges.push_back({INT64_MIN, INT64_MAX, INT64_MAX, INT64_MAX});
  // Possible in itself, but an hour away from all the others.
  exchanges.push_back(
      {kEpoch, kEpoch + 3600 * kSecond, kEpoch + 3600 * kSecond, kEpoch + kMs});
  const auto estimate = Estimate(exchanges);
  ASSERT_TRUE(estimate.ok()) << estimate.error().message;
  EXPECT_EQ(estimate->exchanges(), 20);
  EXPECT_EQ(estimate->rejected(), 5);
  EXPECT_LE(WorstExcessNs(*estimate, clock, &random), 0);
}

TEST(OffsetTest, AClockThatIsSetMeanwhileIsNoticed) {
  stats::Random random(11);
  for (const double step_ns : {2e6, -5e6, 1e9, -3600e9}) {
    RemoteClock before;
    RemoteClock after;
    after.skew_ns = step_ns;
    auto exchanges = AskMany(before, Path(), 20, 100 * kMs, &random);
    for (int i = 20; i < 40; ++i) {
      exchanges.push_back(Ask(after, Path(), kEpoch + i * 100 * kMs, &random));
    }
    const auto estimate = Estimate(exchanges);
    ASSERT_FALSE(estimate.ok()) << step_ns;
    EXPECT_EQ(estimate.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(estimate.error().message, HasSubstr("was set"));
  }
}

TEST(OffsetTest, ADriftThatVariesMoreThanExpectedWidensTheBound) {
  // As when NTP slews: 100 ppm faster half of the time.
  stats::Random random(12);
  RemoteClock clock;
  clock.wander_ppm = 100;
  clock.wander_period_s = 40;
  Path path;
  path.there_ns = path.back_ns = 20e3;
  const auto estimate = Estimate(AskMany(clock, path, 400, 100 * kMs, &random));
  ASSERT_TRUE(estimate.ok());
  EXPECT_GE(estimate->drift_bound_ppm(), 100);
  EXPECT_LE(WorstExcessNs(*estimate, clock, &random), 0);
}

TEST(OffsetTest, OrderDoesNotMatter) {
  stats::Random random(13);
  RemoteClock clock;
  clock.drift_ppm = 17;
  auto exchanges = AskMany(clock, Path(), 40, 100 * kMs, &random);
  const auto one = Estimate(exchanges);
  std::reverse(exchanges.begin(), exchanges.end());
  const auto other = Estimate(exchanges);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(one->At(kEpoch).offset_ns, other->At(kEpoch).offset_ns);
  EXPECT_EQ(one->At(kEpoch).bound_ns, other->At(kEpoch).bound_ns);
}

TEST(OffsetTest, WithoutExchangesThereIsNoEstimate) {
  const auto none = Estimate({});
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message, HasSubstr("no exchange"));
  const auto bad = Estimate(std::vector<Exchange>{{4, 3, 2, 1}});
  ASSERT_FALSE(bad.ok());
  EXPECT_THAT(bad.error().message, HasSubstr("none of 1 exchange"));
}

}  // namespace
}  // namespace edgewise::clocks
