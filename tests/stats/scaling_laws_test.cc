#include "stats/scaling_laws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stats/random.h"

namespace edgewise::stats {
namespace {

double Law(double single, double s, double k, double n) {
  return single * n / (1 + s * (n - 1) + k * n * (n - 1));
}

std::vector<ScalingPoint> Points(double single, double s, double k,
                                 std::vector<double> counts,
                                 double relative_noise = 0, uint64_t seed = 1,
                                 int repeats = 1) {
  Random random(seed);
  std::vector<ScalingPoint> points;
  for (const double n : counts) {
    for (int i = 0; i < repeats; ++i) {
      points.push_back(
          {n, Law(single, s, k, n) * std::exp(relative_noise * random.Normal()),
           1});
    }
  }
  return points;
}

bool Covers(const Estimate& estimate, double truth) {
  return (!estimate.low || *estimate.low <= truth) &&
         (!estimate.high || *estimate.high >= truth);
}

TEST(ScalingLawsTest, ExactAmdahlIsRecovered) {
  for (const double s : {0.0, 0.02, 0.25, 0.9, 1.0}) {
    const auto fit = FitScalingLaw(ScalingLaw::kAmdahl,
                                   Points(12.5, s, 0, {1, 2, 3, 4, 6, 8}));
    ASSERT_TRUE(fit) << s;
    EXPECT_NEAR(fit->serial_share.value, s, 1e-6);
    EXPECT_NEAR(fit->single.value, 12.5, 1e-5);
    EXPECT_EQ(fit->coherency.value, 0);
    EXPECT_FALSE(fit->best_n);
    EXPECT_NEAR(*fit->residual_percent, 0, 1e-4);
    if (s > 0 && s < 1) {
      EXPECT_NEAR(*fit->r_squared, 1, 1e-9);
      EXPECT_NEAR(fit->largest_throughput->value, 12.5 / s, 1e-3);
    }
  }
}

TEST(ScalingLawsTest, WithoutASerialShareThereIsNoLargestThroughput) {
  const auto fit =
      FitScalingLaw(ScalingLaw::kAmdahl, Points(10, 0, 0, {1, 2, 4, 8}));
  ASSERT_TRUE(fit);
  EXPECT_FALSE(fit->largest_throughput);
}

TEST(ScalingLawsTest, ExactUniversalLawIsRecovered) {
  for (const double s : {0.0, 0.05, 0.3}) {
    for (const double k : {0.0, 1e-4, 0.01, 0.2}) {
      const auto fit = FitScalingLaw(ScalingLaw::kUniversal,
                                     Points(300, s, k, {1, 2, 4, 8, 16, 32}));
      ASSERT_TRUE(fit);
      EXPECT_NEAR(fit->serial_share.value, s, 1e-6) << s << " " << k;
      EXPECT_NEAR(fit->coherency.value, k, 1e-6) << s << " " << k;
      EXPECT_NEAR(fit->single.value, 300, 1e-3);
      ASSERT_EQ(fit->best_n.has_value(), k > 0) << s << " " << k;
      if (k > 0) {
        EXPECT_NEAR(fit->best_n->value / std::sqrt((1 - s) / k), 1, 1e-4);
        EXPECT_NEAR(fit->largest_throughput->value,
                    Law(300, s, k, std::sqrt((1 - s) / k)), 1e-2);
      }
    }
  }
}

TEST(ScalingLawsTest, ThroughputThatOnlyFallsIsBestWithOne) {
  const auto fit = FitScalingLaw(ScalingLaw::kUniversal,
                                 Points(100, 0.9, 0.8, {1, 2, 3, 4, 8}));
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->best_n->value, 1);
  EXPECT_NEAR(fit->largest_throughput->value, 100, 1e-3);
}

TEST(ScalingLawsTest, TheLawForetellsWhatItWasFittedTo) {
  const auto fit = FitScalingLaw(ScalingLaw::kUniversal,
                                 Points(50, 0.1, 0.02, {1, 2, 4, 8}));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(ThroughputAt(*fit, 5), Law(50, 0.1, 0.02, 5), 1e-3);
  EXPECT_EQ(fit->points, 4);
  EXPECT_EQ(fit->largest_n, 8);
}

// With 95% intervals about 285 of 300 experiments cover; fewer than 270, or all
// of 300, would happen once in many thousand times if they held.
TEST(ScalingLawsTest, IntervalsCoverTheTruthOfNoisyPoints) {
  int single = 0;
  int serial = 0;
  int coherency = 0;
  int best = 0;
  int largest = 0;
  const int experiments = 300;
  for (int i = 0; i < experiments; ++i) {
    const auto fit =
        FitScalingLaw(ScalingLaw::kUniversal,
                      Points(100, 0.08, 0.02, {1, 2, 4, 6, 8, 12}, 0.03,
                             1000 + static_cast<uint64_t>(i), 3));
    ASSERT_TRUE(fit);
    single += Covers(fit->single, 100);
    serial += Covers(fit->serial_share, 0.08);
    coherency += Covers(fit->coherency, 0.02);
    best += fit->best_n && Covers(*fit->best_n, std::sqrt(0.92 / 0.02));
    largest += fit->largest_throughput &&
               Covers(*fit->largest_throughput,
                      Law(100, 0.08, 0.02, std::sqrt(0.92 / 0.02)));
  }
  for (const int covered : {single, serial, coherency, best, largest}) {
    EXPECT_GE(covered, 270);
    EXPECT_LT(covered, experiments);
  }
}

TEST(ScalingLawsTest, AmdahlsIntervalCoversToo) {
  int covered = 0;
  for (int i = 0; i < 300; ++i) {
    const auto fit = FitScalingLaw(
        ScalingLaw::kAmdahl,
        Points(10, 0.2, 0, {1, 2, 3, 4}, 0.05, static_cast<uint64_t>(i), 2));
    ASSERT_TRUE(fit);
    ASSERT_TRUE(fit->serial_share.sufficient());
    covered += Covers(fit->serial_share, 0.2);
  }
  EXPECT_GE(covered, 270);
  EXPECT_LT(covered, 300);
}

TEST(ScalingLawsTest, ABestNumberThatMayBeEndlessHasNoHighEnd) {
  // Noise hides whether there is any coherency cost.
  const auto fit = FitScalingLaw(
      ScalingLaw::kUniversal, Points(100, 0.1, 1e-3, {1, 2, 3, 4}, 0.03, 4, 3));
  ASSERT_TRUE(fit);
  if (fit->best_n) {
    EXPECT_FALSE(fit->best_n->high);
  }
  EXPECT_EQ(fit->coherency.low, 0);
}

TEST(ScalingLawsTest, CriterionTellsTheLawsApart) {
  const auto choose = [](double k) {
    const auto points = Points(100, 0.05, k, {1, 2, 4, 8, 16, 24}, 0.01, 7, 2);
    const auto amdahl = FitScalingLaw(ScalingLaw::kAmdahl, points);
    const auto universal = FitScalingLaw(ScalingLaw::kUniversal, points);
    return BetterLaw(*amdahl, *universal);
  };
  EXPECT_EQ(choose(0.02), ScalingLaw::kUniversal);
  EXPECT_EQ(choose(0), ScalingLaw::kAmdahl);
}

TEST(ScalingLawsTest, FewPointsDoNotTellTheLawsApart) {
  const auto points = Points(100, 0.05, 0.02, {1, 2, 4, 8});
  const auto amdahl = FitScalingLaw(ScalingLaw::kAmdahl, points);
  const auto universal = FitScalingLaw(ScalingLaw::kUniversal, points);
  EXPECT_FALSE(universal->aicc);
  EXPECT_EQ(BetterLaw(*amdahl, *universal), std::nullopt);
}

TEST(ScalingLawsTest, AsManyPointsAsParametersGiveNoIntervals) {
  const auto fit =
      FitScalingLaw(ScalingLaw::kAmdahl, Points(10, 0.3, 0, {1, 4}));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->serial_share.value, 0.3, 1e-6);
  EXPECT_FALSE(fit->serial_share.low);
  EXPECT_FALSE(fit->residual_percent);
}

TEST(ScalingLawsTest, WeightsCountAsRepeats) {
  const std::vector<ScalingPoint> weighted{
      {1, 10, 1}, {2, 18, 3}, {4, 30, 1}, {8, 44, 1}};
  std::vector<ScalingPoint> repeated = weighted;
  repeated[1].weight = 1;
  repeated.insert(repeated.end(), 2, repeated[1]);
  const auto a = FitScalingLaw(ScalingLaw::kAmdahl, weighted);
  const auto b = FitScalingLaw(ScalingLaw::kAmdahl, repeated);
  EXPECT_NEAR(a->serial_share.value, b->serial_share.value, 1e-7);
}

TEST(ScalingLawsTest, TooFewDifferentCountsAreRefused) {
  const auto amdahl =
      FitScalingLaw(ScalingLaw::kAmdahl, Points(10, 0.3, 0, {4, 4, 4}));
  ASSERT_FALSE(amdahl);
  EXPECT_EQ(amdahl.error().message,
            "Amdahl's law needs 2 different numbers of threads or cores, and "
            "there are 1: measure more");
  EXPECT_FALSE(
      FitScalingLaw(ScalingLaw::kUniversal, Points(10, 0.3, 0, {1, 2, 2})));
  EXPECT_FALSE(FitScalingLaw(ScalingLaw::kAmdahl, {}));
}

TEST(ScalingLawsTest, ImpossiblePointsAreRefused) {
  for (const ScalingPoint bad :
       {ScalingPoint{2, 0, 1}, ScalingPoint{2, NAN, 1}, ScalingPoint{0.5, 3, 1},
        ScalingPoint{2, 3, 0}}) {
    const std::vector<ScalingPoint> points{{1, 2, 1}, bad, {4, 5, 1}};
    EXPECT_FALSE(FitScalingLaw(ScalingLaw::kAmdahl, points));
  }
}

}  // namespace
}  // namespace edgewise::stats
