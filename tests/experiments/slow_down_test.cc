#include "experiments/slow_down.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stats/random.h"

namespace edgewise {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// A hundred items around `center_ns`.
Observation Seen(size_t step, const std::string& actor,
                 std::vector<std::string> beside, double center_ns) {
  stats::Random random(step + 1);
  Observation seen;
  seen.step = step;
  seen.actor = actor;
  seen.beside = std::move(beside);
  seen.run_id = "run" + std::to_string(step);
  seen.cores_wanted = 1;
  for (int i = 0; i < 100; ++i) {
    seen.wall_ns.push_back(center_ns * (0.99 + 0.02 * random.Uniform()));
  }
  return seen;
}

TEST(SlowDownTest, EachRepeatIsAgainstTheBaselinesAroundIt) {
  // The machine becomes half as fast between the two repeats.
  const std::vector<Observation> all{
      Seen(0, "a", {}, 1e6), Seen(1, "a", {"x"}, 1.5e6), Seen(2, "a", {}, 1e6),
      Seen(3, "a", {}, 2e6), Seen(4, "a", {"x"}, 3e6),   Seen(5, "a", {}, 2e6)};
  const SlowDown slow_down = SlowDownOf(all, "a", {"x"});
  EXPECT_THAT(slow_down.p50_ratios,
              ElementsAre(DoubleNear(1.5, 0.02), DoubleNear(1.5, 0.02)));
  ASSERT_TRUE(slow_down.p50.ratio && slow_down.p50.high);
  EXPECT_NEAR(*slow_down.p50.ratio, 1.5, 0.02);
  // The drift is no spread.
  EXPECT_LT(*slow_down.p50.high, 1.6);
  EXPECT_THAT(slow_down.contended.runs, ElementsAre("run1", "run4"));
  EXPECT_EQ(slow_down.failure, "");
}

TEST(SlowDownTest, OneRepeatHasAnIntervalOfItsItems) {
  const std::vector<Observation> all{
      Seen(0, "a", {}, 1e6), Seen(1, "a", {"x"}, 1.5e6), Seen(2, "a", {}, 1e6)};
  const SlowDown slow_down = SlowDownOf(all, "a", {"x"});
  ASSERT_TRUE(slow_down.p50.ratio && slow_down.p50.low && slow_down.p50.high);
  EXPECT_NEAR(*slow_down.p50.ratio, 1.5, 0.02);
  EXPECT_EQ(slow_down.p50.verdict, stats::Verdict::kSlower);
  ASSERT_TRUE(slow_down.p95.ratio);
  EXPECT_NEAR(*slow_down.p95.ratio, 1.5, 0.02);
}

TEST(SlowDownTest, AFailedRepeatIsKeptAndTheRestCounts) {
  std::vector<Observation> all{Seen(0, "a", {}, 1e6), Seen(1, "a", {"x"}, 2e6),
                               Seen(2, "a", {"x"}, 2e6), Seen(3, "a", {}, 1e6)};
  all[1].wall_ns.clear();
  all[1].failure = "x failed: code 7";
  const SlowDown slow_down = SlowDownOf(all, "a", {"x"});
  EXPECT_EQ(slow_down.failure, "x failed: code 7");
  ASSERT_TRUE(slow_down.p50.ratio);
  EXPECT_NEAR(*slow_down.p50.ratio, 2, 0.05);
}

TEST(SlowDownTest, WithoutABaselineThereIsNone) {
  const std::vector<Observation> all{Seen(1, "a", {"x"}, 2e6)};
  const SlowDown slow_down = SlowDownOf(all, "a", {"x"});
  EXPECT_FALSE(slow_down.p50.ratio);
  EXPECT_NE(slow_down.failure, "");
  EXPECT_THAT(AllSlowDowns(all), SizeIs(0));
}

TEST(SlowDownTest, BothSidesOfAPairAreTold) {
  const std::vector<Observation> all{
      Seen(0, "a", {}, 1e6), Seen(1, "b", {}, 1e6), Seen(2, "a", {"b"}, 2e6),
      Seen(2, "b", {"a"}, 1e6), Seen(3, "a", {"stressor"}, 1e6)};
  const auto slow_downs = AllSlowDowns(all);
  ASSERT_THAT(slow_downs, SizeIs(3));
  EXPECT_EQ(slow_downs[0].actor, "a");
  EXPECT_EQ(slow_downs[1].actor, "b");
  EXPECT_NEAR(*slow_downs[1].p50.ratio, 1, 0.05);
}

TEST(SlowDownTest, FiveRepeatsGiveAnIntervalOverRepeats) {
  std::vector<Observation> all;
  for (size_t i = 0; i < 5; ++i) {
    all.push_back(Seen(2 * i, "a", {}, 1e6));
    all.push_back(Seen(2 * i + 1, "a", {"x"}, 1.2e6));
  }
  const SlowDown slow_down = SlowDownOf(all, "a", {"x"});
  EXPECT_EQ(slow_down.p50.verdict, stats::Verdict::kSlower);
  EXPECT_NEAR(*slow_down.p50.ratio, 1.2, 0.02);
}

}  // namespace
}  // namespace edgewise
