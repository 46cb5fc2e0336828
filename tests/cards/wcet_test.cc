#include "cards/wcet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// 1 … n in random order: the value of a sample is its rank.
std::vector<double> ShuffledRanks(int n) {
  std::vector<double> samples(static_cast<size_t>(n));
  std::iota(samples.begin(), samples.end(), 1.0);
  std::shuffle(samples.begin(), samples.end(), std::mt19937_64(3));
  return samples;
}

std::vector<double> Lognormal(int n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> next(14, 0.1);
  std::vector<double> samples(static_cast<size_t>(n));
  std::generate(samples.begin(), samples.end(), [&] { return next(random); });
  return samples;
}

TEST(WcetTest, TheDefaultIsTheBoundOfP99) {
  const auto wcet = ChooseWcet(ShuffledRanks(1000), nullptr, {});
  ASSERT_TRUE(wcet);
  EXPECT_EQ(wcet->kind, WcetKind::kQuantileBound);
  EXPECT_DOUBLE_EQ(wcet->value_ns, 996);  // x(996) of 1000 at 95%
  EXPECT_DOUBLE_EQ(*wcet->quantile, 0.99);
  EXPECT_DOUBLE_EQ(wcet->confidence, 0.95);
  EXPECT_THAT(wcet->warnings, IsEmpty());
}

TEST(WcetTest, TheBoundExistsFrom299SamplesOn) {
  const auto enough = ChooseWcet(ShuffledRanks(299), nullptr, {});
  ASSERT_TRUE(enough);
  EXPECT_EQ(enough->kind, WcetKind::kQuantileBound);
  EXPECT_DOUBLE_EQ(enough->value_ns, 299);
  const auto too_few = ChooseWcet(ShuffledRanks(298), nullptr, {});
  ASSERT_TRUE(too_few);
  EXPECT_EQ(too_few->kind, WcetKind::kObservedMax);
  EXPECT_DOUBLE_EQ(too_few->value_ns, 298);
  EXPECT_FALSE(too_few->quantile);
  EXPECT_NEAR(*too_few->exceedance, 1 - std::pow(0.05, 1.0 / 298), 1e-12);
  EXPECT_THAT(too_few->warnings,
              ElementsAre(HasSubstr("needs 299"), HasSubstr("no bound")));
}

TEST(WcetTest, ABoundThatWasAskedForIsRefusedWithTooFewSamples) {
  CardRequest request;
  request.wcet = WcetChoice::kQuantileBound;
  request.quantile = 0.999;
  const auto wcet = ChooseWcet(ShuffledRanks(1000), nullptr, request);
  ASSERT_FALSE(wcet);
  EXPECT_THAT(wcet.error().message, HasSubstr("2,995"));
}

TEST(WcetTest, DependentSamplesCountAsFewer) {
  // Every value twenty times in a row: 1000 samples, 50 of them new.
  std::vector<double> samples;
  for (const double value : Lognormal(50, 1)) {
    samples.insert(samples.end(), 20, value);
  }
  const auto wcet = ChooseWcet(samples, nullptr, {});
  ASSERT_TRUE(wcet);
  EXPECT_EQ(wcet->kind, WcetKind::kObservedMax);
  EXPECT_THAT(wcet->warnings.front(), HasSubstr("independent ones"));
}

TEST(WcetTest, SamplesThatWereNotStoredCount) {
  const std::vector<double> all = ShuffledRanks(100'000);
  stats::Sketch rest;
  for (size_t i = 1000; i < all.size(); ++i) {
    rest.Add(all[i]);
  }
  const auto wcet = ChooseWcet(std::span(all).first(1000), &rest, {});
  ASSERT_TRUE(wcet);
  EXPECT_EQ(wcet->kind, WcetKind::kQuantileBound);
  EXPECT_GE(wcet->value_ns, 99'000);
  EXPECT_LE(wcet->value_ns, 100'000);
}

TEST(WcetTest, AnExtremeValueEstimateNeedsItsGates) {
  CardRequest request;
  request.wcet = WcetChoice::kPwcet;
  request.exceedance = 1e-4;
  const auto few = ChooseWcet(Lognormal(100, 1), nullptr, request);
  ASSERT_FALSE(few);
  EXPECT_THAT(few.error().message, HasSubstr("sample size"));
  std::vector<double> drifting = Lognormal(2000, 2);
  for (size_t i = 0; i < drifting.size(); ++i) {
    drifting[i] *= 1 + static_cast<double>(i) / 2000;
  }
  const auto drift = ChooseWcet(drifting, nullptr, request);
  ASSERT_FALSE(drift);
  EXPECT_THAT(drift.error().message, HasSubstr("stationarity"));
  const std::vector<double> steady = Lognormal(5000, 4);
  const auto wcet = ChooseWcet(steady, nullptr, request);
  ASSERT_TRUE(wcet) << wcet.error().message;
  EXPECT_EQ(wcet->kind, WcetKind::kPwcet);
  EXPECT_DOUBLE_EQ(*wcet->exceedance, 1e-4);
  // The true value is exp(14 + 0.1 * 3.719).
  EXPECT_GE(wcet->value_ns, std::exp(14 + 0.1 * 3.719));
  EXPECT_LE(wcet->value_ns, std::exp(14 + 0.1 * 6));
}

}  // namespace
}  // namespace edgewise
