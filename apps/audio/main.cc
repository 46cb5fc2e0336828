// audio: 16 kHz sound -> windowed FFT, mel spectrogram, MFCC, spectral
// centroid.
#include <CLI/CLI.hpp>

#include "audio/audio_work.h"
#include "input/sound.h"
#include "load/drive.h"
#include "load/program.h"

namespace edgewise::apps {
namespace {

constexpr int64_t kDefaultItems = 1000;

Result<Outcome> Run(const LoadOptions& options) {
  auto source = OpenSound(options.input, options.seed);
  if (!source) {
    return source.error();
  }
  AudioWork work(std::move(*source), options.threads);
  return Drive(options, work);
}

}  // namespace
}  // namespace edgewise::apps

int main(int argc, char** argv) {
  using namespace edgewise::apps;
  CLI::App app(
      "Computes features of sound, one second at a time: FFT, mel bands, "
      "cepstral coefficients, spectral centroid.",
      "audio");
  LoadFlags flags(kDefaultItems);
  flags.AddInputTo(app, kSoundForms);
  flags.AddTo(app);
  app.footer("Example: edgewise run -- audio --period 1s --duration 30s");
  return RunProgram(argc, argv, app, flags, Run);
}
