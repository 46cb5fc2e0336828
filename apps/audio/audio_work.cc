#include "audio/audio_work.h"

#include <numeric>

#include "input/synthetic_sound.h"
#include "load/message_number.h"

namespace edgewise::apps {
namespace {

constexpr int kOverlapSamples = kWindowSamples - kHopSamples;
constexpr size_t kMostMessageSamples = size_t{60} * kSamplesPerSecond;

void AddRows(const Rows& rows, Checksum& checksum) {
  checksum.AddBytes(rows.values.data(), rows.values.size() * sizeof(float));
}

}  // namespace

AudioWork::AudioWork(std::unique_ptr<SoundSource> source, int threads)
    : source_(std::move(source)), features_(threads), fresh_(kChunkSamples) {}

Result<bool> AudioWork::Fetch() {
  EDGEWISE_MEASURE("capture");
  const auto more = source_->Next(fresh_);
  if (!more || !*more) {
    return more;
  }
  if (samples_.size() > kOverlapSamples) {
    samples_.erase(samples_.begin(), samples_.end() - kOverlapSamples);
  }
  samples_.insert(samples_.end(), fresh_.begin(), fresh_.end());
  return true;
}

Result<void> AudioWork::Take(std::string_view message) {
  EDGEWISE_MEASURE("capture");
  if (const auto seed = MessageNumber(message)) {
    samples_.resize(kChunkSamples);
    SyntheticSound(*seed).Next(samples_);
    return {};
  }
  const size_t count = message.size() / 2;
  if (message.size() % 2 != 0 || count < kWindowSamples ||
      count > kMostMessageSamples) {
    return Error{ErrorCode::kInvalid,
                 "a message must be 25 ms to 60 s of sound (16-bit "
                 "little-endian samples, 16 kHz) or a whole number"};
  }
  samples_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const auto low = static_cast<uint8_t>(message[2 * i]);
    const auto high = static_cast<uint8_t>(message[2 * i + 1]);
    const auto sample = static_cast<int16_t>(low | high << 8);
    samples_[i] = static_cast<float>(sample) / 32768;
  }
  return {};
}

Result<void> AudioWork::Process(Checksum& checksum) {
  const Rows power = [&] {
    EDGEWISE_MEASURE("fft");
    return features_.PowerSpectra(samples_);
  }();
  const Rows mel = [&] {
    EDGEWISE_MEASURE("mel");
    return features_.MelSpectra(power);
  }();
  const Rows mfcc = [&] {
    EDGEWISE_MEASURE("mfcc");
    return features_.Mfcc(mel);
  }();
  const Rows centroids = [&] {
    EDGEWISE_MEASURE("centroid");
    return features_.Centroids(power);
  }();
  centroid_hz_.Set(
      std::accumulate(centroids.values.begin(), centroids.values.end(), 0.0) /
      centroids.count);
  AddRows(mel, checksum);
  AddRows(mfcc, checksum);
  AddRows(centroids, checksum);
  return {};
}

}  // namespace edgewise::apps
