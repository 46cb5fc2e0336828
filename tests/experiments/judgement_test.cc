#include "experiments/judgement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "experiments/observe.h"
#include "stats/random.h"

namespace edgewise {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::IsEmpty;

Target Parse(std::string_view text) { return ParseTargets(text)->front(); }

TargetSamples Normal(double mean, double stddev, int count, uint64_t seed) {
  stats::Random random(seed);
  TargetSamples observation;
  observation.items = count;
  for (int i = 0; i < count; ++i) {
    observation.samples.push_back(mean + stddev * random.Normal());
  }
  return observation;
}

Standing StandingOf(std::string_view target,
                    const std::vector<TargetSamples>& runs) {
  return Judge(Parse(target), runs, 0.95).standing;
}

TEST(JudgementTest, RatesFarFromTheTargetAreDecidedByOneRun) {
  EXPECT_EQ(StandingOf("fps>=10", {Normal(12, 0.5, 10, 1)}), Standing::kMet);
  EXPECT_EQ(StandingOf("fps>=10", {Normal(8, 0.5, 10, 1)}), Standing::kNotMet);
}

TEST(JudgementTest, RatesNearTheTargetNeedMoreRuns) {
  const std::vector<TargetSamples> runs{
      Normal(10.2, 1, 10, 1), Normal(10.2, 1, 10, 2), Normal(10.2, 1, 10, 3)};
  EXPECT_EQ(StandingOf("fps>=10", {runs[0]}), Standing::kUndecided);
  std::vector<TargetSamples> many;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    many.push_back(Normal(10.2, 1, 10, seed));
  }
  EXPECT_EQ(StandingOf("fps>=10", many), Standing::kMet);
}

TEST(JudgementTest, ExactlyTheAskedRateIsEnough) {
  EXPECT_EQ(StandingOf("fps>=20", {Normal(20, 0.05, 10, 1)}), Standing::kMet);
}

TEST(JudgementTest, SpreadBetweenRunsCounts) {
  // Each Run is sure of itself, and they disagree.
  EXPECT_EQ(StandingOf("fps>=10",
                       {Normal(13, 0.01, 10, 1), Normal(8.5, 0.01, 10, 2)}),
            Standing::kUndecided);
}

TEST(JudgementTest, MetIsWrongNoMoreOftenThanStated) {
  // The truth is just not enough; 5% of 2000 are 100, and 140 would happen
  // once in 30,000 times.
  int wrong = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    wrong += StandingOf("mean(x)<=100ns", {Normal(100.001, 10, 10, seed)}) ==
             Standing::kMet;
  }
  EXPECT_LT(wrong, 140);
  EXPECT_GT(wrong, 20);
}

TEST(JudgementTest, QuantilesAreWrongNoMoreOftenThanStated) {
  int wrong = 0;
  const double limit = 100 + 10 * 1.2815515 - 0.01;  // just below the p90
  const Target target{TargetKind::kQuantile, "x", 0.9, limit, "p90"};
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const std::vector<TargetSamples> runs{Normal(100, 10, 80, seed)};
    wrong += Judge(target, runs, 0.95).standing == Standing::kMet;
  }
  EXPECT_LT(wrong, 140);
  EXPECT_GT(wrong, 20);
}

TEST(JudgementTest, FewSamplesDoNotBoundATail) {
  // p99 at 95% needs 299.
  EXPECT_EQ(StandingOf("p99(x)<=1s", {Normal(100, 10, 200, 1)}),
            Standing::kUndecided);
  EXPECT_EQ(StandingOf("p99(x)<=1s",
                       {Normal(100, 10, 200, 1), Normal(100, 10, 200, 2)}),
            Standing::kMet);
}

TEST(JudgementTest, OneWallTimeDecidesNothing) {
  TargetSamples run;
  run.items = 1;
  run.samples = {1e9};
  EXPECT_EQ(StandingOf("wall<=2s", {run}), Standing::kUndecided);
  TargetSamples other = run;
  other.samples = {1.01e9};
  EXPECT_EQ(StandingOf("wall<=2s", {run, other}), Standing::kMet);
  EXPECT_EQ(StandingOf("wall<=500ms", {run, other}), Standing::kNotMet);
}

TEST(JudgementTest, MaximumIsWhatWasSeen) {
  EXPECT_EQ(StandingOf("max(x)<=200ns", {Normal(100, 10, 50, 1)}),
            Standing::kMet);
  EXPECT_EQ(StandingOf("max(x)<=100ns", {Normal(100, 10, 50, 1)}),
            Standing::kNotMet);
}

TEST(JudgementTest, MissesAreAShare) {
  TargetSamples run = Normal(100, 10, 1000, 1);
  EXPECT_EQ(StandingOf("misses(x)<=1%", {run}), Standing::kMet);
  EXPECT_EQ(StandingOf("misses(x)<=0%", {run}), Standing::kMet);
  run.misses = 1;
  EXPECT_EQ(StandingOf("misses(x)<=0%", {run}), Standing::kNotMet);
  run.misses = 8;
  EXPECT_EQ(StandingOf("misses(x)<=1%", {run}), Standing::kUndecided);
  run.misses = 50;
  EXPECT_EQ(StandingOf("misses(x)<=1%", {run}), Standing::kNotMet);
}

TEST(JudgementTest, NothingSeenIsUndecided) {
  for (const char* target :
       {"fps>=1", "p50(x)<=1s", "max(x)<=1s", "misses(x)<=1%", "wall<=1s"}) {
    const Judgement judgement =
        Judge(Parse(target), std::vector<TargetSamples>(1), 0.95);
    EXPECT_EQ(judgement.standing, Standing::kUndecided) << target;
    EXPECT_FALSE(judgement.figure);
  }
}

TEST(JudgementTest, LeadTellsTheSide) {
  const std::vector<TargetSamples> runs{Normal(100, 1, 10, 1)};
  EXPECT_GT(Judge(Parse("fps>=50"), runs, 0.95).lead, 0.6);
  EXPECT_LT(Judge(Parse("fps>=200"), runs, 0.95).lead, -0.6);
  EXPECT_GT(Judge(Parse("mean(x)<=200ns"), runs, 0.95).lead, 0.6);
}

TEST(JudgementTest, AllMustBeMet) {
  const std::vector<Target> targets{Parse("fps>=10"), Parse("fps>=100")};
  const std::vector<std::vector<TargetSamples>> runs{
      {Normal(20, 0.1, 10, 1), Normal(90, 0.1, 10, 1)}};
  const JointJudgement joint = JudgeAll(targets, runs, 0.95);
  EXPECT_EQ(joint.standing, Standing::kNotMet);
  EXPECT_EQ(joint.each[0].standing, Standing::kMet);
  EXPECT_LT(joint.lead, 0);
}

TEST(RatesTest, EvenItemsHaveOneRate) {
  std::vector<int64_t> ends;
  for (int64_t i = 0; i <= 100; ++i) {
    ends.push_back(5'000'000'000 + i * 50'000'000);
  }
  const auto rates = RatesOf(ends);
  EXPECT_EQ(rates.size(), 10u);
  EXPECT_THAT(rates, Each(DoubleNear(20, 1e-6)));
}

TEST(RatesTest, WindowsNeedNotEndWithItems) {
  std::vector<int64_t> ends;
  for (int64_t i = 0; i <= 23; ++i) {
    ends.push_back(i * 70'000'000);
  }
  const auto rates = RatesOf(ends);
  EXPECT_THAT(rates, Each(DoubleNear(1000.0 / 70, 1e-6)));
}

TEST(RatesTest, MeanOfTheWindowsIsTheRateOfAll) {
  stats::Random random(1);
  std::vector<int64_t> ends{0};
  for (int i = 0; i < 333; ++i) {
    ends.push_back(ends.back() + static_cast<int64_t>(1e7 * random.Uniform()));
  }
  double sum = 0;
  const auto rates = RatesOf(ends);
  for (const double rate : rates) {
    sum += rate;
  }
  EXPECT_NEAR(sum / 10, 333 / (static_cast<double>(ends.back()) / 1e9), 1e-6);
}

TEST(RatesTest, OneEndHasNoRate) {
  EXPECT_THAT(RatesOf({}), IsEmpty());
  EXPECT_THAT(RatesOf({5}), IsEmpty());
  EXPECT_THAT(RatesOf({5, 5, 5}), IsEmpty());
  EXPECT_EQ(RatesOf({0, 1'000'000'000}).size(), 1u);
}

}  // namespace
}  // namespace edgewise
