#include "input/microphone.h"

#include <alsa/asoundlib.h>

#include "load/stop.h"

namespace edgewise::apps {
namespace {

constexpr unsigned kLatencyUs = 200'000;
constexpr float kFullScale = 32768;

struct ClosePcm {
  void operator()(snd_pcm_t* pcm) const { snd_pcm_close(pcm); }
};
using Pcm = std::unique_ptr<snd_pcm_t, ClosePcm>;

// ALSA prints on stderr what it also returns.
void Silent(const char*, int, const char*, int, const char*, ...) {}

class Microphone : public SoundSource {
 public:
  explicit Microphone(Pcm pcm) : pcm_(std::move(pcm)) {}

  Result<bool> Next(std::vector<float>& samples) override {
    buffer_.resize(samples.size());
    size_t have = 0;
    while (have < buffer_.size()) {
      const snd_pcm_sframes_t got = snd_pcm_readi(
          pcm_.get(), buffer_.data() + have, buffer_.size() - have);
      if (got > 0) {
        have += static_cast<size_t>(got);
      } else if (StopRequested()) {
        return false;
      } else if (const int failed = snd_pcm_recover(
                     pcm_.get(), static_cast<int>(got), /*silent=*/1);
                 failed < 0) {
        return Error{ErrorCode::kIo, "the microphone stopped: " +
                                         std::string(snd_strerror(failed))};
      }
    }
    for (size_t i = 0; i < samples.size(); ++i) {
      samples[i] = static_cast<float>(buffer_[i]) / kFullScale;
    }
    return true;
  }

 private:
  Pcm pcm_;
  std::vector<int16_t> buffer_;
};

}  // namespace

Result<std::unique_ptr<SoundSource>> OpenMicrophone(const std::string& name) {
  snd_lib_error_set_handler(Silent);
  snd_pcm_t* opened = nullptr;
  int failed =
      snd_pcm_open(&opened, name.c_str(), SND_PCM_STREAM_CAPTURE, /*mode=*/0);
  Pcm pcm(opened);
  if (failed >= 0) {
    failed = snd_pcm_set_params(
        pcm.get(), SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED,
        /*channels=*/1, kSamplesPerSecond, /*soft_resample=*/1, kLatencyUs);
  }
  if (failed < 0) {
    return Error{ErrorCode::kUnsupported,
                 "the microphone \"" + name + "\" cannot be opened (" +
                     snd_strerror(failed) +
                     "): `arecord -L` lists them, or use --input synthetic"};
  }
  return std::unique_ptr<SoundSource>(
      std::make_unique<Microphone>(std::move(pcm)));
}

}  // namespace edgewise::apps
