#include "prediction/cost_terms.h"

#include <algorithm>
#include <cassert>

namespace edgewise {
namespace {

struct TermFacts {
  std::string_view name;
  double prior;
};

// In the order of CostTerm.
constexpr std::array<TermFacts, kCostTerms> kFacts = {{
    {"layers", -1},
    {"pointwise_mmacs", 0},
    {"winograd_mmacs", 0},
    {"winograd_mb", 0},
    {"direct_mmacs", 0.3},
    {"first_mmacs", 0.7},
    {"unpacked_mmacs", 1},
    {"depthwise_mmacs", 1},
    {"depthwise5_mmacs", 0},
    {"input_mb", 0},
    {"output_mb", 0},
    {"weight_mb", 0},
    {"dense_mb", 0.5},
    {"element_mb", 0.5},
    {"function_mb", 1},
    {"int8_pointwise_mmacs", 0},
    {"int8_winograd_mmacs", 0},
    {"int8_direct3_mmacs", 0},
    {"int8_direct_mmacs", 0},
    {"int8_unpacked_mmacs", 0.5},
    {"int8_depthwise_mmacs", 1},
    {"int8_depthwise5_mmacs", 0},
    {"int8_activation_mb", 0.3},
    {"int8_weight_mb", 0},
    {"int8_dense_mb", 0.5},
}};

constexpr double kMega = 1e-6;
constexpr double kFloatBytes = 4;
// Vectors hold four channels on the smallest cores.
constexpr int64_t kVectorChannels = 4;

double Elements(const std::vector<int64_t>& shape) {
  if (shape.empty()) {
    return 0;
  }
  double product = 1;
  for (const int64_t extent : shape) {
    product *= static_cast<double>(extent);
  }
  return product;
}

double Tiles(int64_t height, int64_t width, int64_t tile) {
  const int64_t rows = (height + tile - 1) / tile;
  const int64_t columns = (width + tile - 1) / tile;
  return static_cast<double>(rows) * static_cast<double>(columns);
}

// Multiplications per channel pair of a 3x3 convolution in the cheapest of
// Winograd's tilings F(6,3), F(4,3), F(2,3), whole tiles only.
double WinogradProducts(int64_t height, int64_t width) {
  return std::min({64 * Tiles(height, width, 6), 36 * Tiles(height, width, 4),
                   16 * Tiles(height, width, 2)});
}

bool IsOneOf(std::string_view type,
             std::initializer_list<std::string_view> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// Adds what one layer costs to a CostVector.
class LayerCost {
 public:
  explicit LayerCost(const Layer& layer)
      : layer_(layer),
        mmacs_(layer.macs * kMega),
        in_mb_(Elements(layer.in_shape) * kFloatBytes * kMega),
        out_mb_(Elements(layer.out_shape) * kFloatBytes * kMega) {}

  CostVector Take() {
    // These only name or reshape what others made.
    if (IsOneOf(layer_.type,
                {"Input", "Split", "MemoryData", "Flatten", "Reshape"})) {
      return costs_;
    }
    Add(CostTerm::kLayers, 1);
    const bool convolution = layer_.type.starts_with("Conv");
    if (layer_.in_shape.empty() || layer_.out_shape.empty()) {
      Add(CostTerm::kElementBytes, in_mb_ + out_mb_);
    } else if (layer_.type.starts_with("Deconv") ||
               (convolution && IsDepthwise())) {
      AddDepthwise();
    } else if (convolution || IsMatrixProduct()) {
      AddConvolution(convolution);
    } else if (layer_.type == "InnerProduct") {
      AddDense();
    } else if (IsOneOf(layer_.type, {"Swish", "GELU", "HardSwish", "Sigmoid",
                                     "HardSigmoid", "Softmax"})) {
      Add(CostTerm::kFunctionBytes, out_mb_);
    } else {
      Add(CostTerm::kElementBytes, in_mb_ + out_mb_);
    }
    return costs_;
  }

 private:
  void Add(CostTerm term, double amount) {
    costs_[static_cast<size_t>(term)] += amount;
  }
  void Add(CostTerm term, CostTerm int8_term, double amount) {
    Add(layer_.int8 ? int8_term : term, amount);
  }

  bool IsDepthwise() const {
    return layer_.groups > 1 && layer_.in_shape[0] == layer_.groups &&
           layer_.out_shape[0] == layer_.groups;
  }

  // Several rows at once, as transformers do.
  bool IsMatrixProduct() const {
    return IsOneOf(layer_.type, {"InnerProduct", "MultiHeadAttention"}) &&
           layer_.in_shape.size() == 2 && layer_.in_shape[0] > 1;
  }

  void AddDepthwise() {
    Add(CostTerm::kDepthwiseMacs, CostTerm::kInt8DepthwiseMacs, mmacs_);
    if (layer_.kernel >= 5) {
      Add(CostTerm::kDepthwise5Macs, CostTerm::kInt8Depthwise5Macs, mmacs_);
    }
    Add(CostTerm::kElementBytes, in_mb_ + out_mb_);
  }

  void AddDense() {
    const double bytes = layer_.int8 ? 1 : kFloatBytes;
    Add(CostTerm::kDenseBytes, CostTerm::kInt8DenseBytes,
        layer_.parameters * bytes * kMega);
  }

  // A vector of channels (or rows) would be partly empty.
  bool IsUnpacked(int64_t in_channels, int64_t out_channels) const {
    const auto ragged = [](int64_t count) {
      return count % kVectorChannels != 0;
    };
    if ((ragged(layer_.in_shape[0]) && layer_.in_shape[0] > kVectorChannels) ||
        ragged(layer_.out_shape[0])) {
      return true;
    }
    return layer_.groups > 1 && (ragged(in_channels / layer_.groups) ||
                                 ragged(out_channels / layer_.groups));
  }

  void AddConvolution(bool convolution) {
    const auto& out = layer_.out_shape;
    const size_t channel = convolution ? 0 : layer_.in_shape.size() - 1;
    const int64_t in_channels = layer_.in_shape[channel];
    const int64_t out_channels = out[std::min(channel, out.size() - 1)];
    const int64_t height = out.size() == 3   ? out[1]
                           : out.size() == 2 ? out[0]
                                             : 1;
    const int64_t width = out.size() == 3 ? out[2] : 1;
    if (convolution && height * width == 1) {
      AddDense();
      return;
    }
    const bool three = convolution && layer_.kernel == 3 && layer_.stride == 1;
    const bool one = !convolution || layer_.kernel == 1;
    if (in_channels <= kVectorChannels) {
      Add(CostTerm::kFirstMacs, CostTerm::kInt8DirectMacs, mmacs_);
    } else if (IsUnpacked(in_channels, out_channels)) {
      Add(CostTerm::kUnpackedMacs, CostTerm::kInt8UnpackedMacs, mmacs_);
    } else if (one) {
      Add(CostTerm::kPointwiseMacs, CostTerm::kInt8PointwiseMacs, mmacs_);
    } else if (three && in_channels >= 8 && out_channels >= 8 &&
               layer_.groups == 1) {
      AddWinograd(height, width, static_cast<double>(in_channels),
                  static_cast<double>(out_channels));
    } else {
      Add(CostTerm::kDirectMacs, CostTerm::kInt8DirectMacs, mmacs_);
    }
    const double weight_mb = layer_.parameters * kFloatBytes * kMega;
    if (layer_.int8) {
      Add(CostTerm::kInt8ActivationBytes, in_mb_ + out_mb_);
      Add(CostTerm::kInt8WeightBytes, weight_mb / kFloatBytes);
      return;
    }
    Add(CostTerm::kOutputBytes, out_mb_);
    if (!three) {
      // Windows of larger kernels overlap and are read more than once.
      Add(CostTerm::kInputBytes, in_mb_ * (one ? 1 : 2.25));
    }
    // A 3x3 kernel becomes 8x8 numbers of F(6,3).
    Add(CostTerm::kWeightBytes, weight_mb * (three ? 64.0 / 9 : 1));
  }

  void AddWinograd(int64_t height, int64_t width, double in_channels,
                   double out_channels) {
    const double products =
        WinogradProducts(height, width) * in_channels * out_channels * kMega;
    Add(CostTerm::kWinogradMacs, CostTerm::kInt8WinogradMacs, products);
    if (layer_.int8) {
      Add(CostTerm::kInt8Direct3Macs, mmacs_);
    } else {
      Add(CostTerm::kWinogradBytes, 64 * Tiles(height, width, 6) *
                                        (in_channels + out_channels) *
                                        kFloatBytes * kMega);
    }
  }

  const Layer& layer_;
  double mmacs_;
  double in_mb_;
  double out_mb_;
  CostVector costs_{};
};

}  // namespace

std::string FamilyOf(const std::string& network) {
  constexpr std::string_view kInt8 = "_int8";
  return network.ends_with(kInt8)
             ? network.substr(0, network.size() - kInt8.size())
             : network;
}

std::string_view CostTermName(CostTerm term) {
  return kFacts[static_cast<size_t>(term)].name;
}

double CostTermPrior(CostTerm term) {
  return kFacts[static_cast<size_t>(term)].prior;
}

CostVector CostsOf(const Layer& layer) { return LayerCost(layer).Take(); }

CostVector CostsOf(const Network& network) {
  CostVector total{};
  for (const Layer& layer : network.layers) {
    const CostVector costs = CostsOf(layer);
    for (size_t k = 0; k < kCostTerms; ++k) {
      total[k] += costs[k];
    }
  }
  return total;
}

}  // namespace edgewise
