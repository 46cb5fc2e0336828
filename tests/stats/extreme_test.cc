#include "stats/extreme.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "series.h"

namespace edgewise::stats {
namespace {

std::vector<double> ParetoSamples(double shape, size_t n, Random* random) {
  const ParetoTail tail{shape, 1};
  std::vector<double> samples(n);
  for (double& sample : samples) sample = 10 + tail.ExcessAt(random->Uniform());
  return samples;
}

// How 200 data sets fare whose 1e-5 exceedance value is known.
struct Trials {
  int estimated = 0;
  int covered = 0;
};

Trials EstimateOften(double shape, size_t n) {
  Random random(11);
  Trials trials;
  const double truth = 10 + ParetoTail{shape, 1}.ExcessAt(1e-5);
  for (uint64_t trial = 0; trial < 200; ++trial) {
    const auto result = EstimateExtreme(ParetoSamples(shape, n, &random),
                                        {.exceedance = 1e-5, .seed = trial});
    if (!result.ok() || !result->bound) continue;
    ++trials.estimated;
    trials.covered +=
        *result->bound->low <= truth && truth <= *result->bound->high;
  }
  return trials;
}

TEST(ExtremeTest, CoversKnownTails) {
  for (const double shape : {-0.2, 0.0, 0.2}) {
    const Trials trials = EstimateOften(shape, 3000);
    // Three gates at the 5% level refuse about one good data set in seven.
    EXPECT_GE(trials.estimated, 150) << shape;
    EXPECT_GE(trials.covered, 0.88 * trials.estimated) << shape;
  }
}

TEST(ExtremeTest, ABoundedTailStaysNearItsBound) {
  Random random(12);
  const auto result =
      EstimateExtreme(ParetoSamples(-0.5, 5000, &random), {.exceedance = 1e-9});
  ASSERT_TRUE(result.ok());
  ASSERT_TRUE(result->bound.has_value()) << result->RefusalText();
  EXPECT_NEAR(result->bound->value, 12, 0.1);
  EXPECT_LT(result->tail.shape, 0);
}

TEST(ExtremeTest, AnEstimateReportsEveryGate) {
  Random random(13);
  const auto result =
      EstimateExtreme(ParetoSamples(0, 2000, &random), {.exceedance = 1e-6});
  ASSERT_TRUE(result.ok());
  ASSERT_TRUE(result->bound.has_value()) << result->RefusalText();
  EXPECT_EQ(result->gates.size(), 5u);
  EXPECT_EQ(result->failed(), nullptr);
  EXPECT_EQ(result->RefusalText(), "");
  EXPECT_EQ(result->exceedances, 200);
  // x_q = u + (scale / shape) ((q / z)^(-shape) - 1)
  const ParetoTail& tail = result->tail;
  EXPECT_NEAR(result->bound->value,
              result->threshold + tail.scale / tail.shape *
                                      (std::pow(1e-6 / 0.1, -tail.shape) - 1),
              1e-9);
}

Gate RefusedBy(std::span<const double> samples) {
  const auto result = EstimateExtreme(samples);
  EXPECT_TRUE(result.ok());
  EXPECT_FALSE(result->bound.has_value());
  if (result->failed() == nullptr) {
    ADD_FAILURE() << "no gate refused";
    return Gate::kSampleSize;
  }
  EXPECT_NE(result->RefusalText().find(GateText(result->failed()->gate)),
            std::string::npos);
  return result->failed()->gate;
}

TEST(ExtremeTest, AutocorrelatedSamplesAreRefusedForIndependence) {
  Random random(14);
  const std::vector<double> samples = LognormalSeries(2000, 0.3, 0.5, &random);
  EXPECT_EQ(RefusedBy(samples), Gate::kIndependence);
  const auto result = EstimateExtreme(samples);
  EXPECT_GT(result->failed()->statistic, result->failed()->critical);
  EXPECT_NEAR(result->failed()->critical, 31.41, 0.01);
}

TEST(ExtremeTest, ATrendIsRefusedForStationarity) {
  Random random(15);
  std::vector<double> samples = LognormalSeries(2000, 0.3, 0, &random);
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i] += static_cast<double>(i) / 2000;
  }
  EXPECT_EQ(RefusedBy(samples), Gate::kStationarity);
}

TEST(ExtremeTest, TooFewSamplesAreRefused) {
  Random random(16);
  EXPECT_EQ(RefusedBy(ParetoSamples(0, 499, &random)), Gate::kSampleSize);
  EXPECT_EQ(RefusedBy({}), Gate::kSampleSize);
}

TEST(ExtremeTest, ACoarseClockIsRefused) {
  Random random(17);
  std::vector<double> samples = ParetoSamples(0, 2000, &random);
  for (double& sample : samples) sample = std::ceil(sample);
  EXPECT_EQ(RefusedBy(samples), Gate::kTailFit);
  EXPECT_EQ(RefusedBy(std::vector<double>(1000, 5.0)), Gate::kSampleSize);
}

TEST(ExtremeTest, ATailOfTwoModesIsRefused) {
  Random random(18);
  std::vector<double> samples(5000);
  for (double& sample : samples) {
    const bool stalled = random.Uniform() < 0.03;
    sample = (stalled ? 50 : 10) + random.Normal();
  }
  EXPECT_EQ(RefusedBy(samples), Gate::kTailFit);
}

TEST(ExtremeTest, AVeryHeavyTailIsRefused) {
  Random random(19);
  EXPECT_EQ(RefusedBy(ParetoSamples(0.9, 5000, &random)), Gate::kTailHeaviness);
}

TEST(ExtremeTest, QuestionsWithoutMeaningAreErrors) {
  Random random(20);
  std::vector<double> samples = ParetoSamples(0, 1000, &random);
  for (const double exceedance : {0.0, -1.0, 1e-13, 0.1, 0.5, std::nan("")}) {
    const auto result = EstimateExtreme(samples, {.exceedance = exceedance});
    ASSERT_FALSE(result.ok()) << exceedance;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  }
  samples[5] = std::nan("");
  EXPECT_FALSE(EstimateExtreme(samples).ok());
}

TEST(ExtremeTest, TheSameSeedGivesTheSameInterval) {
  Random random(13);
  const std::vector<double> samples = ParetoSamples(0, 2000, &random);
  const auto first = EstimateExtreme(samples);
  const auto second = EstimateExtreme(samples);
  ASSERT_TRUE(first->bound && second->bound);
  EXPECT_EQ(first->bound->high, second->bound->high);
}

}  // namespace
}  // namespace edgewise::stats
