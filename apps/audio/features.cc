#include "audio/features.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "input/sound.h"

namespace edgewise::apps {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr float kQuietest = 1e-10F;  // keeps logarithms finite
constexpr double kBinHz = static_cast<double>(kSamplesPerSecond) / kFftSamples;

double MelOfHz(double hz) { return 2595 * std::log10(1 + hz / 700); }
double HzOfMel(double mel) { return 700 * (std::pow(10, mel / 2595) - 1); }

}  // namespace

Features::Features(int threads) : crew_(threads) {
  for (int i = 0; i < threads; ++i) {
    benches_.push_back(
        {std::unique_ptr<float, FreeFftw>(fftwf_alloc_real(kFftSamples)),
         std::unique_ptr<fftwf_complex, FreeFftw>(fftwf_alloc_complex(kBins))});
    std::fill_n(benches_.back().in.get(), kFftSamples, 0.0F);
  }
  // Not measured: timing would choose another plan, with other rounding, in
  // every run.
  plan_.reset(fftwf_plan_dft_r2c_1d(kFftSamples, benches_[0].in.get(),
                                    benches_[0].out.get(),
                                    FFTW_ESTIMATE | FFTW_PRESERVE_INPUT));
  for (int i = 0; i < kWindowSamples; ++i) {
    window_.push_back(
        static_cast<float>(0.5 - 0.5 * std::cos(2 * kPi * i / kWindowSamples)));
  }
  const double top_mel = MelOfHz(kSamplesPerSecond / 2.0);
  const auto edge_bin = [&](int edge) {
    return HzOfMel(top_mel * edge / (kMelBands + 1)) / kBinHz;
  };
  for (int band = 0; band < kMelBands; ++band) {
    const double low = edge_bin(band);
    const double peak = edge_bin(band + 1);
    const double high = edge_bin(band + 2);
    MelFilter filter;
    filter.first_bin = static_cast<int>(std::ceil(low));
    for (int bin = filter.first_bin; bin < kBins && bin <= high; ++bin) {
      const double weight = bin <= peak ? (bin - low) / (peak - low)
                                        : (high - bin) / (high - peak);
      filter.weights.push_back(static_cast<float>(weight));
    }
    filters_.push_back(std::move(filter));
  }
  for (int k = 0; k < kCoefficients; ++k) {
    for (int band = 0; band < kMelBands; ++band) {
      const double scale = std::sqrt((k == 0 ? 1.0 : 2.0) / kMelBands);
      cosines_.push_back(static_cast<float>(
          scale * std::cos(kPi * k * (band + 0.5) / kMelBands)));
    }
  }
}

int Features::WindowCount(int samples) {
  return samples < kWindowSamples
             ? 0
             : (samples - kWindowSamples) / kHopSamples + 1;
}

Rows Features::PowerSpectra(const std::vector<float>& samples) {
  Rows power(WindowCount(static_cast<int>(samples.size())), kBins);
  crew_.Share(power.count, [&](int first, int last, int worker) {
    float* in = benches_[worker].in.get();
    fftwf_complex* out = benches_[worker].out.get();
    for (int row = first; row < last; ++row) {
      const float* from =
          samples.data() + static_cast<ptrdiff_t>(row) * kHopSamples;
      for (int i = 0; i < kWindowSamples; ++i) {
        in[i] = from[i] * window_[i];
      }
      fftwf_execute_dft_r2c(plan_.get(), in, out);
      float* to = power.row(row);
      for (int bin = 0; bin < kBins; ++bin) {
        to[bin] = out[bin][0] * out[bin][0] + out[bin][1] * out[bin][1];
      }
    }
  });
  return power;
}

Rows Features::MelSpectra(const Rows& power) {
  Rows mel(power.count, kMelBands);
  crew_.Share(mel.count, [&](int first, int last, int) {
    for (int row = first; row < last; ++row) {
      for (int band = 0; band < kMelBands; ++band) {
        const MelFilter& filter = filters_[band];
        const float* bins = power.row(row) + filter.first_bin;
        float sum = 0;
        for (size_t i = 0; i < filter.weights.size(); ++i) {
          sum += bins[i] * filter.weights[i];
        }
        mel.row(row)[band] = sum;
      }
    }
  });
  return mel;
}

Rows Features::Mfcc(const Rows& mel) {
  Rows mfcc(mel.count, kCoefficients);
  crew_.Share(mfcc.count, [&](int first, int last, int) {
    float logs[kMelBands];
    for (int row = first; row < last; ++row) {
      for (int band = 0; band < kMelBands; ++band) {
        logs[band] = std::log(std::max(mel.row(row)[band], kQuietest));
      }
      for (int k = 0; k < kCoefficients; ++k) {
        const float* cosines = cosines_.data() + k * kMelBands;
        float sum = 0;
        for (int band = 0; band < kMelBands; ++band) {
          sum += logs[band] * cosines[band];
        }
        mfcc.row(row)[k] = sum;
      }
    }
  });
  return mfcc;
}

Rows Features::Centroids(const Rows& power) {
  Rows centroids(power.count, 1);
  crew_.Share(centroids.count, [&](int first, int last, int) {
    for (int row = first; row < last; ++row) {
      float sum = 0;
      float weighted = 0;
      for (int bin = 0; bin < kBins; ++bin) {
        const float magnitude = std::sqrt(power.row(row)[bin]);
        sum += magnitude;
        weighted += magnitude * static_cast<float>(bin);
      }
      centroids.row(row)[0] =
          sum > 0 ? weighted / sum * static_cast<float>(kBinHz) : 0;
    }
  });
  return centroids;
}

}  // namespace edgewise::apps
