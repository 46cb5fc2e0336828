// Samples for the apps that listen: mono, 16 kHz, from -1 to 1.
#ifndef EDGEWISE_APPS_INPUT_SOUND_H_
#define EDGEWISE_APPS_INPUT_SOUND_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace edgewise::apps {

inline constexpr int kSamplesPerSecond = 16000;

class SoundSource {
 public:
  virtual ~SoundSource() = default;
  // Fills `samples`, whose size says how many; false when fewer are left.
  // Waits for a microphone.
  virtual Result<bool> Next(std::vector<float>& samples) = 0;
};

// "synthetic" (seeded), "mic" or "mic:NAME" (ALSA), or a sound file.
Result<std::unique_ptr<SoundSource>> OpenSound(const std::string& input,
                                               uint64_t seed);
inline constexpr char kSoundForms[] =
    "synthetic (default), a sound file of 16 kHz, mic or mic:NAME";

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_INPUT_SOUND_H_
