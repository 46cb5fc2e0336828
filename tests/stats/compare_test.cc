#include "stats/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "series.h"

namespace edgewise::stats {
namespace {

const std::vector<double> kOld = {1.0, 1.1, 0.9, 1.05, 0.95};
const std::vector<double> kNew = {0.8, 0.85, 0.75, 0.9, 0.7};

std::vector<double> Scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

TEST(CompareRepeatsTest, WelchIntervalMatchesTheFormula) {
  const Comparison result = CompareRepeats(kOld, kNew, Pairing::kIndependent);
  EXPECT_EQ(result.verdict, Verdict::kFaster);
  EXPECT_NEAR(*result.ratio, 0.7988634017404935, 1e-12);
  EXPECT_NEAR(*result.low, 0.6999261787115983, 1e-9);
  EXPECT_NEAR(*result.high, 0.9117857769159876, 1e-9);
}

TEST(CompareRepeatsTest, PairedIntervalMatchesTheFormula) {
  const Comparison result = CompareRepeats(kOld, kNew, Pairing::kPaired);
  EXPECT_EQ(result.verdict, Verdict::kFaster);
  EXPECT_NEAR(*result.ratio, 0.7988634017404935, 1e-12);
  EXPECT_NEAR(*result.low, 0.7415446057923937, 1e-9);
  EXPECT_NEAR(*result.high, 0.8606127394837552, 1e-9);
}

TEST(CompareRepeatsTest, SwappingSidesInvertsTheInterval) {
  for (const Pairing pairing : {Pairing::kIndependent, Pairing::kPaired}) {
    const Comparison forth = CompareRepeats(kOld, kNew, pairing);
    const Comparison back = CompareRepeats(kNew, kOld, pairing);
    EXPECT_EQ(back.verdict, Verdict::kSlower);
    EXPECT_NEAR(*back.low, 1 / *forth.high, 1e-12);
    EXPECT_NEAR(*back.high, 1 / *forth.low, 1e-12);
  }
}

TEST(CompareRepeatsTest, PairingRemovesACommonDrift) {
  std::vector<double> a;
  std::vector<double> b;
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    const double drift = 1 + 0.2 * i;
    a.push_back(drift * std::exp(0.01 * random.Normal()));
    b.push_back(drift * 1.05 * std::exp(0.01 * random.Normal()));
  }
  EXPECT_EQ(CompareRepeats(a, b, Pairing::kIndependent).verdict,
            Verdict::kNoDifference);
  EXPECT_EQ(CompareRepeats(a, b, Pairing::kPaired).verdict, Verdict::kSlower);
}

TEST(CompareRepeatsTest, FourRepeatsAreInsufficient) {
  const std::vector<double> four = {1, 2, 3, 4};
  const Comparison result = CompareRepeats(kOld, four, Pairing::kIndependent);
  EXPECT_EQ(result.verdict, Verdict::kInsufficient);
  EXPECT_TRUE(result.ratio.has_value());
  EXPECT_FALSE(result.low.has_value());
  EXPECT_FALSE(result.reason.empty());
}

TEST(CompareRepeatsTest, UnusableFiguresGiveNoRatio) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    std::vector<double> values = kNew;
    values[2] = bad;
    const Comparison result = CompareRepeats(kOld, values, Pairing::kPaired);
    EXPECT_EQ(result.verdict, Verdict::kInsufficient);
    EXPECT_FALSE(result.ratio.has_value());
  }
  EXPECT_EQ(CompareRepeats({}, {}, Pairing::kPaired).verdict,
            Verdict::kInsufficient);
}

TEST(CompareRepeatsTest, UnequalNumbersCannotBePaired) {
  std::vector<double> six = kNew;
  six.push_back(0.8);
  EXPECT_EQ(CompareRepeats(kOld, six, Pairing::kPaired).verdict,
            Verdict::kInsufficient);
  EXPECT_EQ(CompareRepeats(kOld, six, Pairing::kIndependent).verdict,
            Verdict::kFaster);
}

TEST(CompareRepeatsTest, IdenticalFiguresShowNoDifference) {
  const std::vector<double> same(5, 2.0);
  EXPECT_EQ(CompareRepeats(same, same, Pairing::kIndependent).verdict,
            Verdict::kNoDifference);
  EXPECT_EQ(CompareRepeats(same, same, Pairing::kPaired).verdict,
            Verdict::kNoDifference);
}

TEST(CompareRepeatsTest, CoversTheTruthAtItsConfidence) {
  for (const Pairing pairing : {Pairing::kIndependent, Pairing::kPaired}) {
    Random random(2);
    int covered = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      const Comparison result =
          CompareRepeats(LognormalSeries(6, 0.3, 0, &random),
                         LognormalSeries(6, 0.1, 0, &random), pairing);
      covered += *result.low <= 1 && 1 <= *result.high;
    }
    EXPECT_GE(covered, 2000 * 0.92);
    EXPECT_LE(covered, 2000 * 0.98);
  }
}

// The share of 1000 comparisons of equal lognormal series whose interval
// contains 1.
double CoverageOf(Statistic statistic, size_t n, double phi) {
  Random random(42);
  int covered = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const std::vector<double> a = LognormalSeries(n, 0.5, phi, &random);
    const std::vector<double> b = LognormalSeries(n, 0.5, phi, &random);
    const Comparison result =
        CompareSpans(a, b,
                     {.statistic = statistic,
                      .quantile = 0.9,
                      .seed = static_cast<uint64_t>(trial)});
    covered += result.low && *result.low <= 1 && 1 <= *result.high;
  }
  return covered / 1000.0;
}

TEST(CompareSpansTest, CoversIndependentMeans) {
  const double coverage = CoverageOf(Statistic::kMean, 200, 0);
  EXPECT_GE(coverage, 0.92);
  EXPECT_LE(coverage, 0.98);
}

TEST(CompareSpansTest, CoversIndependentMedians) {
  const double coverage = CoverageOf(Statistic::kMedian, 200, 0);
  EXPECT_GE(coverage, 0.92);
  EXPECT_LE(coverage, 0.98);
}

TEST(CompareSpansTest, CoversIndependentQuantiles) {
  const double coverage = CoverageOf(Statistic::kQuantile, 300, 0);
  EXPECT_GE(coverage, 0.92);
  EXPECT_LE(coverage, 0.98);
}

TEST(CompareSpansTest, CoversAutocorrelatedSeries) {
  EXPECT_GE(CoverageOf(Statistic::kMean, 1000, 0.7), 0.88);
  EXPECT_GE(CoverageOf(Statistic::kMedian, 1000, 0.7), 0.88);
  EXPECT_GE(CoverageOf(Statistic::kQuantile, 1000, 0.7), 0.88);
}

TEST(CompareSpansTest, FindsATenPercentSlowdown) {
  Random random(3);
  const std::vector<double> a = LognormalSeries(2000, 0.2, 0.5, &random);
  const std::vector<double> b =
      Scaled(LognormalSeries(2000, 0.2, 0.5, &random), 1.1);
  for (const Statistic statistic :
       {Statistic::kMean, Statistic::kMedian, Statistic::kQuantile}) {
    const SpanComparisonOptions options = {.statistic = statistic,
                                           .quantile = 0.9};
    const Comparison slower = CompareSpans(a, b, options);
    EXPECT_EQ(slower.verdict, Verdict::kSlower);
    EXPECT_NEAR(*slower.ratio, 1.1, 0.05);
    EXPECT_LE(*slower.low, *slower.ratio);
    EXPECT_GE(*slower.high, *slower.ratio);
    EXPECT_EQ(CompareSpans(b, a, options).verdict, Verdict::kFaster);
  }
}

TEST(CompareSpansTest, HugeSeriesAreThinnedButTheRatioIsOfAll) {
  Random random(4);
  const std::vector<double> a = LognormalSeries(300'000, 0.5, 0, &random);
  const std::vector<double> b = Scaled(a, 1.25);
  const Comparison result = CompareSpans(
      a, b, {.statistic = Statistic::kQuantile, .quantile = 0.999});
  EXPECT_NEAR(*result.ratio, 1.25, 1e-12);
  EXPECT_EQ(result.verdict, Verdict::kSlower);
}

TEST(CompareSpansTest, TheSameSeedGivesTheSameInterval) {
  Random random(5);
  const std::vector<double> a = LognormalSeries(500, 0.5, 0.3, &random);
  const std::vector<double> b = LognormalSeries(500, 0.5, 0.3, &random);
  const Comparison first = CompareSpans(a, b, {.seed = 7});
  const Comparison second = CompareSpans(a, b, {.seed = 7});
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

TEST(CompareSpansTest, TooFewEffectiveSamplesAreInsufficient) {
  Random random(6);
  const std::vector<double> few = LognormalSeries(19, 0.1, 0, &random);
  const std::vector<double> many = LognormalSeries(500, 0.1, 0, &random);
  EXPECT_EQ(CompareSpans(few, many).verdict, Verdict::kInsufficient);
  EXPECT_TRUE(CompareSpans(few, many).ratio.has_value());
  // Three hundred samples say nothing about the upper end of p99.
  const std::vector<double> some = LognormalSeries(300, 0.1, 0, &random);
  EXPECT_EQ(
      CompareSpans(some, many, {.statistic = Statistic::kQuantile}).verdict,
      Verdict::kInsufficient);
  // A drifting series has many samples but little information.
  EXPECT_EQ(CompareSpans(Ranks(500), many).verdict, Verdict::kInsufficient);
}

TEST(CompareSpansTest, UnusableSamplesGiveNoRatio) {
  const std::vector<double> good(100, 1.0);
  std::vector<double> bad = good;
  bad[3] = std::nan("");
  EXPECT_FALSE(CompareSpans(good, bad).ratio.has_value());
  EXPECT_FALSE(CompareSpans(good, {}).ratio.has_value());
  EXPECT_FALSE(
      CompareSpans(std::vector<double>(100, 0.0), good).ratio.has_value());
}

TEST(CompareSpansTest, ConstantSeriesCompareExactly) {
  const std::vector<double> one(100, 1.0);
  const std::vector<double> two(100, 2.0);
  EXPECT_EQ(CompareSpans(one, one).verdict, Verdict::kNoDifference);
  const Comparison result = CompareSpans(one, two);
  EXPECT_EQ(result.verdict, Verdict::kSlower);
  EXPECT_DOUBLE_EQ(*result.ratio, 2);
}

TEST(VerdictTest, ReadsLikeASentence) {
  EXPECT_EQ(VerdictText(Verdict::kFaster), "faster");
  EXPECT_EQ(VerdictText(Verdict::kSlower), "slower");
  EXPECT_EQ(VerdictText(Verdict::kNoDifference), "no difference shown");
  EXPECT_EQ(VerdictText(Verdict::kInsufficient), "insufficient samples");
}

}  // namespace
}  // namespace edgewise::stats
