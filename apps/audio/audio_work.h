// Features of a sound stream, one second at a time.
#ifndef EDGEWISE_APPS_AUDIO_AUDIO_WORK_H_
#define EDGEWISE_APPS_AUDIO_AUDIO_WORK_H_

#include <edgewise/edgewise.hpp>
#include <memory>
#include <vector>

#include "audio/features.h"
#include "input/sound.h"
#include "load/drive.h"

namespace edgewise::apps {

// Spans: capture; in each chunk fft, mel, mfcc, centroid.
class AudioWork : public Work {
 public:
  static constexpr int kChunkSamples = kSamplesPerSecond;

  // `source` may be null if all sound comes in messages: samples as 16-bit
  // little-endian numbers, or a whole number that is the seed of a synthetic
  // chunk.
  AudioWork(std::unique_ptr<SoundSource> source, int threads);

  const char* item_name() const override { return "chunk"; }
  Result<bool> Fetch() override;
  Result<void> Take(std::string_view message) override;
  Result<void> Process(Checksum& checksum) override;

 private:
  std::unique_ptr<SoundSource> source_;
  Features features_;
  // In a stream a chunk begins with the end of the one before, so that no
  // window between two is left out.
  std::vector<float> samples_;
  std::vector<float> fresh_;
  Gauge centroid_hz_{"centroid_hz"};
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_AUDIO_AUDIO_WORK_H_
