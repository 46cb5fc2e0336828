#include "input/sound.h"

#include <sndfile.h>

#include <filesystem>

#include "input/microphone.h"
#include "input/synthetic_sound.h"

namespace edgewise::apps {
namespace {

class SyntheticSource : public SoundSource {
 public:
  explicit SyntheticSource(uint64_t seed) : sound_(seed) {}
  Result<bool> Next(std::vector<float>& samples) override {
    sound_.Next(samples);
    return true;
  }

 private:
  SyntheticSound sound_;
};

struct CloseFile {
  void operator()(SNDFILE* file) const { sf_close(file); }
};

class FileSource : public SoundSource {
 public:
  FileSource(std::unique_ptr<SNDFILE, CloseFile> file, int channels)
      : file_(std::move(file)), channels_(channels) {}

  // Channels are averaged.
  Result<bool> Next(std::vector<float>& samples) override {
    interleaved_.resize(samples.size() * static_cast<size_t>(channels_));
    const auto wanted = static_cast<sf_count_t>(samples.size());
    if (sf_readf_float(file_.get(), interleaved_.data(), wanted) != wanted) {
      return false;
    }
    for (size_t i = 0; i < samples.size(); ++i) {
      float sum = 0;
      for (int c = 0; c < channels_; ++c) {
        sum += interleaved_[i * static_cast<size_t>(channels_) +
                            static_cast<size_t>(c)];
      }
      samples[i] = sum / static_cast<float>(channels_);
    }
    return true;
  }

 private:
  std::unique_ptr<SNDFILE, CloseFile> file_;
  int channels_;
  std::vector<float> interleaved_;
};

Result<std::unique_ptr<SoundSource>> OpenFile(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return Error{ErrorCode::kNotFound,
                 "--input: there is no file \"" + path +
                     "\"; known: " + std::string(kSoundForms)};
  }
  SF_INFO info{};
  std::unique_ptr<SNDFILE, CloseFile> file(
      sf_open(path.c_str(), SFM_READ, &info));
  if (file == nullptr) {
    return Error{ErrorCode::kInvalid, "--input: \"" + path +
                                          "\" is not a sound file that "
                                          "libsndfile reads (" +
                                          sf_strerror(nullptr) + ")"};
  }
  if (info.samplerate != kSamplesPerSecond) {
    return Error{ErrorCode::kInvalid,
                 "--input: \"" + path + "\" has " +
                     std::to_string(info.samplerate) +
                     " samples a second: convert it to 16000 first (sox IN -r "
                     "16000 OUT)"};
  }
  return std::unique_ptr<SoundSource>(
      std::make_unique<FileSource>(std::move(file), info.channels));
}

}  // namespace

Result<std::unique_ptr<SoundSource>> OpenSound(const std::string& input,
                                               uint64_t seed) {
  if (input == "synthetic") {
    return std::unique_ptr<SoundSource>(
        std::make_unique<SyntheticSource>(seed));
  }
  if (input == "mic") {
    return OpenMicrophone("default");
  }
  if (input.starts_with("mic:")) {
    return OpenMicrophone(input.substr(4));
  }
  if (input.starts_with("camera:") || input.starts_with("rtsp://")) {
    return Error{
        ErrorCode::kInvalid,
        "--input: audio takes no pictures; known: " + std::string(kSoundForms)};
  }
  return OpenFile(input);
}

}  // namespace edgewise::apps
