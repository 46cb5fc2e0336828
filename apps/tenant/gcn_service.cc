// Two graph convolutions (Kipf and Welling 2017) that put the nodes of a graph
// into classes.
#include <algorithm>
#include <array>

#include "tenant/seeded.h"
#include "tenant/service.h"

namespace edgewise::apps {
namespace {

constexpr size_t kNodes = 1000;
constexpr size_t kEdges = 20'000;
constexpr size_t kFeatures = 64;
constexpr size_t kHidden = 64;
constexpr size_t kClasses = 16;
constexpr size_t kInputs = 4;

class Gcn : public Service {
 public:
  Gcn() : random_(11) {
    MakeGraph();
    first_ = SeededWeights(random_, kFeatures * kHidden, kFeatures);
    second_ = SeededWeights(random_, kHidden * kClasses, kHidden);
    for (auto& input : inputs_) {
      input = SeededWeights(random_, kNodes * kFeatures, 1);
    }
  }

  Result<void> Answer(uint64_t number, Checksum& checksum) override {
    const std::vector<float>& input = inputs_[number % kInputs];
    Convolve(input, kFeatures, first_, kHidden, hidden_);
    for (float& value : hidden_) {
      value = std::max(value, 0.0F);
    }
    Convolve(hidden_, kHidden, second_, kClasses, scores_);
    checksum.AddBytes(scores_.data(), scores_.size() * sizeof(float));
    return {};
  }

 private:
  // Neighbours of each node one after another; each node is its own too.
  void MakeGraph() {
    std::vector<std::vector<uint32_t>> beside(kNodes);
    for (size_t node = 0; node < kNodes; ++node) {
      beside[node].push_back(static_cast<uint32_t>(node));
    }
    for (size_t edge = 0; edge < kEdges; ++edge) {
      beside[random_.Below(kNodes)].push_back(random_.Below(kNodes));
    }
    for (const auto& neighbours : beside) {
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + neighbours.size());
      neighbours_.insert(neighbours_.end(), neighbours.begin(),
                         neighbours.end());
    }
  }

  // Every node's mean over its neighbours of what these make of themselves.
  void Convolve(const std::vector<float>& in, size_t in_size,
                const std::vector<float>& weights, size_t out_size,
                std::vector<float>& out) {
    mixed_.assign(kNodes * out_size, 0);
    for (size_t node = 0; node < kNodes; ++node) {
      AddProduct(&in[node * in_size], in_size, weights.data(),
                 &mixed_[node * out_size], out_size);
    }
    out.assign(kNodes * out_size, 0);
    size_t at = 0;
    for (size_t node = 0; node < kNodes; ++node) {
      float* sum = &out[node * out_size];
      const size_t begin = at;
      for (; at < ends_[node]; ++at) {
        const float* other = &mixed_[neighbours_[at] * out_size];
        for (size_t k = 0; k < out_size; ++k) {
          sum[k] += other[k];
        }
      }
      const float share = 1.0F / static_cast<float>(at - begin);
      for (size_t k = 0; k < out_size; ++k) {
        sum[k] *= share;
      }
    }
  }

  stats::Random random_;
  std::vector<size_t> ends_;  // of each node in neighbours_
  std::vector<uint32_t> neighbours_;
  std::vector<float> first_, second_;
  std::array<std::vector<float>, kInputs> inputs_;
  std::vector<float> mixed_, hidden_, scores_;
};

}  // namespace

Result<std::unique_ptr<Service>> MakeGcn() {
  return std::unique_ptr<Service>(std::make_unique<Gcn>());
}

}  // namespace edgewise::apps
