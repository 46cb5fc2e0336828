// Services on time series: an LSTM of two layers that predicts the next value,
// and a Kalman filter whose gain a GRU learns (Revach et al. 2022).
#include <algorithm>
#include <array>
#include <cmath>

#include "tenant/seeded.h"
#include "tenant/service.h"

namespace edgewise::apps {
namespace {

constexpr size_t kSteps = 128;
constexpr size_t kInputs = 8;

float Sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

std::vector<float> Series(stats::Random& random, size_t size) {
  std::vector<float> values(kSteps * size);
  const double pace = 0.05 + 0.1 * random.Uniform();
  for (size_t i = 0; i < values.size(); ++i) {
    const double wave = std::sin(pace * static_cast<double>(i / size));
    values[i] = static_cast<float>(wave + 0.1 * random.Normal());
  }
  return values;
}

// One layer; gates are input, forget, cell and output.
class LstmLayer {
 public:
  LstmLayer(stats::Random& random, size_t in_size, size_t size)
      : in_size_(in_size),
        size_(size),
        from_input_(SeededWeights(random, in_size * 4 * size, in_size)),
        from_state_(SeededWeights(random, size * 4 * size, size)),
        gates_(4 * size) {}

  void Reset() {
    state_.assign(size_, 0);
    cell_.assign(size_, 0);
  }
  const std::vector<float>& Step(const float* in) {
    std::fill(gates_.begin(), gates_.end(), 0.0F);
    AddProduct(in, in_size_, from_input_.data(), gates_.data(), 4 * size_);
    AddProduct(state_.data(), size_, from_state_.data(), gates_.data(),
               4 * size_);
    for (size_t i = 0; i < size_; ++i) {
      const float kept = Sigmoid(gates_[size_ + i]) * cell_[i];
      const float taken = Sigmoid(gates_[i]) * std::tanh(gates_[2 * size_ + i]);
      cell_[i] = kept + taken;
      state_[i] = Sigmoid(gates_[3 * size_ + i]) * std::tanh(cell_[i]);
    }
    return state_;
  }

 private:
  size_t in_size_, size_;
  std::vector<float> from_input_, from_state_;
  std::vector<float> gates_, state_, cell_;
};

class Lstm : public Service {
 public:
  Lstm()
      : random_(13),
        first_(random_, 1, kHidden),
        second_(random_, kHidden, kHidden) {
    for (auto& input : inputs_) {
      input = Series(random_, 1);
    }
  }

  Result<void> Answer(uint64_t number, Checksum& checksum) override {
    first_.Reset();
    second_.Reset();
    for (const float value : inputs_[number % kInputs]) {
      const auto& last = second_.Step(first_.Step(&value).data());
      checksum.Add(last.front());
    }
    return {};
  }

 private:
  static constexpr size_t kHidden = 50;
  stats::Random random_;
  LstmLayer first_, second_;
  std::array<std::vector<float>, kInputs> inputs_;
};

// Follows position and speed in two dimensions from noisy positions.
class GruKalman : public Service {
 public:
  GruKalman()
      : random_(14),
        from_input_(SeededWeights(random_, kSeen * 3 * kHidden, kSeen)),
        from_state_(SeededWeights(random_, kHidden * 3 * kHidden, kHidden)),
        to_gain_(SeededWeights(random_, kHidden * kGain, kHidden)) {
    for (auto& input : inputs_) {
      input = Series(random_, kMeasured);
    }
  }

  Result<void> Answer(uint64_t number, Checksum& checksum) override {
    const std::vector<float>& input = inputs_[number % kInputs];
    hidden_.fill(0);
    std::array<float, kState> state{};
    for (size_t step = 0; step < kSteps; ++step) {
      // Positions move by speeds.
      for (size_t i = 0; i < kMeasured; ++i) {
        state[i] += 0.1F * state[kMeasured + i];
      }
      std::array<float, kSeen> seen{};
      for (size_t i = 0; i < kMeasured; ++i) {
        seen[i] = input[step * kMeasured + i] - state[i];
      }
      std::copy(state.begin(), state.end(), seen.begin() + kMeasured);
      const auto gain = Gain(seen);
      for (size_t i = 0; i < kState; ++i) {
        for (size_t k = 0; k < kMeasured; ++k) {
          state[i] += gain[i * kMeasured + k] * seen[k];
        }
        checksum.Add(state[i]);
      }
    }
    return {};
  }

 private:
  static constexpr size_t kMeasured = 2;
  static constexpr size_t kState = 4;
  static constexpr size_t kSeen = kMeasured + kState;
  static constexpr size_t kGain = kState * kMeasured;
  static constexpr size_t kHidden = 192;

  // Between -0.5 and 0.5, so that the filter stays stable.
  std::array<float, kGain> Gain(const std::array<float, kSeen>& seen) {
    std::array<float, 3 * kHidden> input{};  // update, reset, candidate
    std::array<float, 3 * kHidden> before{};
    AddProduct(seen.data(), kSeen, from_input_.data(), input.data(),
               input.size());
    AddProduct(hidden_.data(), kHidden, from_state_.data(), before.data(),
               before.size());
    for (size_t i = 0; i < kHidden; ++i) {
      const float update = Sigmoid(input[i] + before[i]);
      const float reset = Sigmoid(input[kHidden + i] + before[kHidden + i]);
      const float candidate =
          std::tanh(input[2 * kHidden + i] + reset * before[2 * kHidden + i]);
      hidden_[i] = update * hidden_[i] + (1 - update) * candidate;
    }
    std::array<float, kGain> gain{};
    AddProduct(hidden_.data(), kHidden, to_gain_.data(), gain.data(), kGain);
    for (float& value : gain) {
      value = 0.5F * std::tanh(value);
    }
    return gain;
  }

  stats::Random random_;
  std::vector<float> from_input_, from_state_, to_gain_;
  std::array<float, kHidden> hidden_{};
  std::array<std::vector<float>, kInputs> inputs_;
};

}  // namespace

Result<std::unique_ptr<Service>> MakeLstm() {
  return std::unique_ptr<Service>(std::make_unique<Lstm>());
}

Result<std::unique_ptr<Service>> MakeGruKalman() {
  return std::unique_ptr<Service>(std::make_unique<GruKalman>());
}

}  // namespace edgewise::apps
