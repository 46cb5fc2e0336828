#include "input/synthetic_sound.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "input/sound.h"

namespace edgewise::apps {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kWaveSize = 4096;
constexpr int kHarmonics = 6;
constexpr double kGlideDepth = 0.3;
constexpr double kNoise = 0.02;
constexpr double kVolume = 0.2;

std::vector<double> Wave() {
  std::vector<double> wave(kWaveSize);
  for (int i = 0; i < kWaveSize; ++i) {
    for (int k = 1; k <= kHarmonics; ++k) {
      wave[i] += std::sin(kTurn * k * i / kWaveSize) / k;
    }
  }
  return wave;
}

}  // namespace

SyntheticSound::SyntheticSound(uint64_t seed)
    : random_(seed),
      pitch_hz_(90 + 160 * random_.Uniform()),
      glide_hz_(0.2 + 0.5 * random_.Uniform()),
      syllables_hz_(2 + 3 * random_.Uniform()),
      wave_(Wave()) {}

void SyntheticSound::Next(std::vector<float>& samples) {
  assert(samples.size() % kStepSamples == 0);
  for (size_t at = 0; at < samples.size(); at += kStepSamples) {
    const double time_s =
        static_cast<double>(step_++) * kStepSamples / kSamplesPerSecond;
    const double pitch_hz =
        pitch_hz_ * (1 + kGlideDepth * std::sin(kTurn * glide_hz_ * time_s));
    const double loudness =
        kVolume * std::max(0.0, std::sin(kTurn * syllables_hz_ * time_s));
    for (size_t i = at; i < at + kStepSamples; ++i) {
      turns_ += pitch_hz / kSamplesPerSecond;
      turns_ -= std::floor(turns_);
      const auto place = static_cast<size_t>(turns_ * kWaveSize) % kWaveSize;
      const double noise = 2 * random_.Uniform() - 1;
      samples[i] = static_cast<float>(loudness * wave_[place] + kNoise * noise);
    }
  }
}

}  // namespace edgewise::apps
