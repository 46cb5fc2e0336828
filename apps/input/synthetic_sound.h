// A voice-like sound: harmonics of a gliding pitch that come and go in
// syllables, with noise. Seeded; apps/python/synthetic.py makes the same up to
// rounding. Cheap, so that an app's own work dominates.
#ifndef EDGEWISE_APPS_INPUT_SYNTHETIC_SOUND_H_
#define EDGEWISE_APPS_INPUT_SYNTHETIC_SOUND_H_

#include <cstdint>
#include <vector>

#include "stats/random.h"

namespace edgewise::apps {

// Not thread-safe: samples come one after the other.
class SyntheticSound {
 public:
  explicit SyntheticSound(uint64_t seed);
  // Fills `samples`, whose size must be a multiple of kStepSamples.
  void Next(std::vector<float>& samples);

  // Pitch and loudness change in steps of a millisecond.
  static constexpr int kStepSamples = 16;

 private:
  stats::Random random_;
  double pitch_hz_;
  double glide_hz_;  // how often the pitch goes up and down
  double syllables_hz_;
  std::vector<double> wave_;  // one turn of the voice
  int64_t step_ = 0;
  double turns_ = 0;  // of the voice, the fraction only
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_INPUT_SYNTHETIC_SOUND_H_
