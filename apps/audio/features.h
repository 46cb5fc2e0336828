// From sound to features, in the usual steps: windows of 25 ms every 10 ms,
// their power spectra, mel bands, cepstral coefficients (Davis and Mermelstein
// 1980), and where the centre of each spectrum is.
#ifndef EDGEWISE_APPS_AUDIO_FEATURES_H_
#define EDGEWISE_APPS_AUDIO_FEATURES_H_

#include <fftw3.h>

#include <memory>
#include <vector>

#include "load/crew.h"

namespace edgewise::apps {

inline constexpr int kWindowSamples = 400;
inline constexpr int kHopSamples = 160;
inline constexpr int kFftSamples = 512;  // the window, filled up with zeros
inline constexpr int kBins = kFftSamples / 2 + 1;
inline constexpr int kMelBands = 40;
inline constexpr int kCoefficients = 13;

// Rows of equal length, one for each window.
struct Rows {
  Rows(int row_count, int row_size)
      : count(row_count),
        size(row_size),
        values(static_cast<size_t>(row_count) * static_cast<size_t>(row_size)) {
  }
  float* row(int i) { return values.data() + static_cast<ptrdiff_t>(i) * size; }
  const float* row(int i) const {
    return values.data() + static_cast<ptrdiff_t>(i) * size;
  }

  int count;
  int size;
  std::vector<float> values;
};

// The plan and tables, made once. Each row is computed by one thread, in the
// same order whatever the number of threads.
class Features {
 public:
  explicit Features(int threads);

  // Windows that fit into this many samples.
  static int WindowCount(int samples);

  // Hann-windowed power spectra. At least one window.
  Rows PowerSpectra(const std::vector<float>& samples);
  Rows MelSpectra(const Rows& power);
  // Of the logarithms of mel bands, by a cosine transform.
  Rows Mfcc(const Rows& mel);
  // In Hz; 0 for silence. One value a row.
  Rows Centroids(const Rows& power);

 private:
  struct FreeFftw {
    void operator()(void* data) const { fftwf_free(data); }
  };
  struct DestroyPlan {
    void operator()(fftwf_plan_s* plan) const { fftwf_destroy_plan(plan); }
  };
  // What one thread needs for a transform.
  struct Bench {
    std::unique_ptr<float, FreeFftw> in;
    std::unique_ptr<fftwf_complex, FreeFftw> out;
  };
  // A triangle over some bins.
  struct MelFilter {
    int first_bin = 0;
    std::vector<float> weights;
  };

  Crew crew_;
  std::vector<Bench> benches_;
  std::unique_ptr<fftwf_plan_s, DestroyPlan> plan_;
  std::vector<float> window_;
  std::vector<MelFilter> filters_;
  std::vector<float> cosines_;  // kCoefficients rows of kMelBands
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_AUDIO_FEATURES_H_
