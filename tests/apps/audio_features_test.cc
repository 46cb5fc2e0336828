#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "audio/features.h"
#include "input/sound.h"

namespace edgewise::apps {
namespace {

std::vector<float> Tone(double hz, int samples) {
  std::vector<float> tone(static_cast<size_t>(samples));
  for (int i = 0; i < samples; ++i) {
    tone[i] = static_cast<float>(
        0.5 * std::sin(2 * std::numbers::pi * hz * i / kSamplesPerSecond));
  }
  return tone;
}

// One window with something in every band.
std::vector<float> Rattle() {
  std::vector<float> samples(kWindowSamples);
  for (int i = 0; i < kWindowSamples; ++i) {
    samples[i] = static_cast<float>((i * i * 37 % 101) / 101.0 - 0.5);
  }
  return samples;
}

TEST(FeaturesTest, WindowsThatFitAreCounted) {
  EXPECT_EQ(Features::WindowCount(399), 0);
  EXPECT_EQ(Features::WindowCount(400), 1);
  EXPECT_EQ(Features::WindowCount(559), 1);
  EXPECT_EQ(Features::WindowCount(560), 2);
  EXPECT_EQ(Features::WindowCount(16240), 100);
}

TEST(FeaturesTest, ATonePeaksInItsBin) {
  Features features(1);
  const Rows power = features.PowerSpectra(Tone(1000, 4000));
  ASSERT_EQ(power.count, 23);
  for (int row = 0; row < power.count; ++row) {
    const float* bins = power.row(row);
    EXPECT_EQ(std::max_element(bins, bins + kBins) - bins, 32);
  }
}

TEST(FeaturesTest, ASpectrumMatchesItsDefinition) {
  Features features(1);
  const std::vector<float> samples = Rattle();
  const Rows power = features.PowerSpectra(samples);
  for (const int bin : {0, 1, 77, 256}) {
    double re = 0;
    double im = 0;
    for (int i = 0; i < kWindowSamples; ++i) {
      const double turn = 2 * std::numbers::pi * i;
      const double value =
          samples[i] * (0.5 - 0.5 * std::cos(turn / kWindowSamples));
      re += value * std::cos(turn * bin / kFftSamples);
      im -= value * std::sin(turn * bin / kFftSamples);
    }
    const double expected = re * re + im * im;
    EXPECT_NEAR(power.row(0)[bin], expected, 1e-4 + 1e-4 * expected) << bin;
  }
}

TEST(FeaturesTest, TheCentroidOfAToneIsItsPitch) {
  Features features(1);
  const Rows power = features.PowerSpectra(Tone(2000, 1600));
  const Rows centroids = features.Centroids(power);
  EXPECT_NEAR(centroids.row(0)[0], 2000, 60);
}

TEST(FeaturesTest, SilenceHasNoInfiniteFeatures) {
  Features features(1);
  const Rows power = features.PowerSpectra(std::vector<float>(800, 0.0F));
  const Rows mfcc = features.Mfcc(features.MelSpectra(power));
  for (const float value : mfcc.values) {
    EXPECT_TRUE(std::isfinite(value));
  }
  EXPECT_EQ(features.Centroids(power).row(0)[0], 0);
}

TEST(FeaturesTest, ALouderSoundChangesTheFirstCoefficientOnly) {
  Features features(1);
  std::vector<float> sound = Rattle();
  const Rows quiet =
      features.Mfcc(features.MelSpectra(features.PowerSpectra(sound)));
  for (float& sample : sound) {
    sample *= 2;
  }
  const Rows loud =
      features.Mfcc(features.MelSpectra(features.PowerSpectra(sound)));
  // Every band doubles twice: log 4, times sqrt(40) by the transform.
  EXPECT_NEAR(loud.row(0)[0] - quiet.row(0)[0],
              std::log(4.0) * std::sqrt(kMelBands), 0.01);
  for (int k = 1; k < kCoefficients; ++k) {
    EXPECT_NEAR(loud.row(0)[k], quiet.row(0)[k], 0.01) << k;
  }
}

TEST(FeaturesTest, ThreadsDoNotChangeTheResult) {
  const auto tone = Tone(440, 16000);
  Features one(1);
  Features three(3);
  EXPECT_EQ(one.PowerSpectra(tone).values, three.PowerSpectra(tone).values);
}

}  // namespace
}  // namespace edgewise::apps
