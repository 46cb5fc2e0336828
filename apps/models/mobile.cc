// Networks made for phones, on pictures of 96 x 96: a few milliseconds each.
#include <algorithm>

#include "models/architectures.h"
#include "models/encoder.h"
#include "models/layers.h"

namespace edgewise::apps {
namespace {

constexpr int64_t kSide = 96;

enum class Activation { kRelu, kHardSwish, kSwish };

Maps Activate(OnnxGraph& graph, const Maps& in, Activation how) {
  switch (how) {
    case Activation::kRelu:
      return Relu(graph, in);
    case Activation::kHardSwish:
      return HardSwish(graph, in);
    case Activation::kSwish:
      break;
  }
  return Swish(graph, in);
}

double GainAfter(Activation how) {
  return how == Activation::kHardSwish ? kAfterHardSwish : 2;
}

struct Block {
  int64_t kernel, wide, channels;
  bool squeezes;
  Activation activation;
  int64_t stride;
};

// Widens, filters each channel by itself, weighs them, narrows (Howard et al.
// 2019, Tan and Le 2019).
Maps MobileBlock(OnnxGraph& graph, const Maps& in, const Block& block,
                 int64_t squeezed) {
  Maps x = in;
  double gain = 2;
  if (block.wide != in.channels) {
    x = Activate(graph, Convolve(graph, x, block.wide), block.activation);
    gain = GainAfter(block.activation);
  }
  x = Activate(graph,
               Convolve(graph, x, block.wide,
                        {.kernel = block.kernel,
                         .stride = block.stride,
                         .groups = block.wide,
                         .gain = gain}),
               block.activation);
  if (block.squeezes) {
    x = SqueezeAndExcite(graph, x, squeezed);
  }
  x = Convolve(graph, x, block.channels,
               {.gain = GainAfter(block.activation) / 2});
  return block.stride == 1 && in.channels == block.channels ? Add(graph, in, x)
                                                            : x;
}

// Mixes local maps by an encoder over all places (Mehta and Rastegari 2022);
// each place is a token.
Maps TransformerBlock(OnnxGraph& graph, const Maps& in, int64_t side,
                      int64_t size, int layers) {
  const int64_t places = side * side;
  Maps x = Swish(graph, Convolve(graph, in, in.channels, {.kernel = 3}));
  x = Convolve(graph, x, size, {.gain = 1});
  Encoder encoder(graph, {places, size, 4});
  OnnxGraph::Value tokens = graph.Node(
      "Transpose",
      {graph.Node("Reshape", {x.value, graph.Shape({1, size, places})})},
      {{"perm", std::vector<int64_t>{0, 2, 1}}});
  for (int layer = 0; layer < layers; ++layer) {
    tokens = encoder.Layer(tokens);
  }
  tokens = encoder.Normalized(tokens);
  const OnnxGraph::Value back = graph.Node(
      "Transpose", {tokens}, {{"perm", std::vector<int64_t>{0, 2, 1}}});
  x = {graph.Node("Reshape", {back, graph.Shape({1, size, side, side})}), size};
  x = Swish(graph, Convolve(graph, x, in.channels));
  x = {graph.Node("Concat", {in.value, x.value}, {{"axis", int64_t{1}}}),
       2 * in.channels};
  return Swish(graph, Convolve(graph, x, in.channels, {.kernel = 3}));
}

}  // namespace

std::string BuildMobileNetV3(uint64_t seed) {
  constexpr auto kRe = Activation::kRelu;
  constexpr auto kHs = Activation::kHardSwish;
  constexpr Block kBlocks[] = {
      {3, 16, 16, false, kRe, 1},  {3, 64, 24, false, kRe, 2},
      {3, 72, 24, false, kRe, 1},  {5, 72, 40, true, kRe, 2},
      {5, 120, 40, true, kRe, 1},  {5, 120, 40, true, kRe, 1},
      {3, 240, 80, false, kHs, 2}, {3, 200, 80, false, kHs, 1},
      {3, 184, 80, false, kHs, 1}, {3, 184, 80, false, kHs, 1},
      {3, 480, 112, true, kHs, 1}, {3, 672, 112, true, kHs, 1},
      {5, 672, 160, true, kHs, 2}, {5, 960, 160, true, kHs, 1},
      {5, 960, 160, true, kHs, 1},
  };
  OnnxGraph graph("mobilenetv3", seed);
  Maps x{graph.Input("input", {1, 3, kSide, kSide}), 3};
  x = HardSwish(graph, Convolve(graph, x, 16, {.kernel = 3, .stride = 2}));
  // Makes up for the factor of the activation once; blocks then keep it.
  x = Convolve(graph, x, 16, {.gain = kAfterHardSwish / 2});
  for (const Block& block : kBlocks) {
    x = MobileBlock(graph, x, block, block.wide / 4);
  }
  x = HardSwish(graph, Convolve(graph, x, 960));
  return Classify(graph, Convolve(graph, x, 960, {.gain = kAfterHardSwish}));
}

std::string BuildEfficientNet(uint64_t seed) {
  struct Stage {
    int64_t widening, channels, repeats, stride, kernel;
  };
  constexpr Stage kStages[] = {
      {1, 16, 1, 1, 3},  {6, 24, 2, 2, 3},  {6, 40, 2, 2, 5}, {6, 80, 3, 2, 3},
      {6, 112, 3, 1, 5}, {6, 192, 4, 2, 5}, {6, 320, 1, 1, 3}};
  OnnxGraph graph("efficientnet", seed);
  Maps x{graph.Input("input", {1, 3, kSide, kSide}), 3};
  x = Swish(graph, Convolve(graph, x, 32, {.kernel = 3, .stride = 2}));
  for (const Stage& stage : kStages) {
    for (int64_t i = 0; i < stage.repeats; ++i) {
      const Block block{stage.kernel,       x.channels * stage.widening,
                        stage.channels,     true,
                        Activation::kSwish, i == 0 ? stage.stride : 1};
      x = MobileBlock(graph, x, block, std::max<int64_t>(1, x.channels / 4));
    }
  }
  return Classify(graph, Swish(graph, Convolve(graph, x, 1280)));
}

std::string BuildMobileVit(uint64_t seed) {
  OnnxGraph graph("mobilevit", seed);
  Maps x{graph.Input("input", {1, 3, kSide, kSide}), 3};
  x = Swish(graph, Convolve(graph, x, 16, {.kernel = 3, .stride = 2}));
  x = InvertedResidual(graph, x, 32, 1, 2);
  x = InvertedResidual(graph, x, 48, 2, 2);
  x = InvertedResidual(graph, x, 64, 2, 2);
  x = TransformerBlock(graph, x, kSide / 8, 96, 2);
  x = InvertedResidual(graph, x, 80, 2, 2);
  x = TransformerBlock(graph, x, kSide / 16, 120, 4);
  return Classify(graph, Swish(graph, Convolve(graph, x, 320)));
}

}  // namespace edgewise::apps
