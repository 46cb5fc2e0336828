// Networks of convolutions.
#include "models/architectures.h"
#include "models/layers.h"

namespace edgewise::apps {
namespace {

using Value = OnnxGraph::Value;

constexpr OnnxGraph::Dims::value_type kSide = 224;

Maps ResidualBlock(OnnxGraph& graph, const Maps& in, int64_t channels,
                   int64_t stride) {
  Maps x = Relu(graph,
                Convolve(graph, in, channels, {.kernel = 3, .stride = stride}));
  x = Convolve(graph, x, channels, {.kernel = 3, .gain = 1});
  const Maps shortcut =
      stride == 1 && in.channels == channels
          ? in
          : Convolve(graph, in, channels, {.stride = stride, .gain = 1});
  return Relu(graph, Add(graph, x, shortcut));
}

// Squeezes to few channels, then expands twice (Iandola et al. 2016).
Maps Fire(OnnxGraph& graph, const Maps& in, int64_t squeezed,
          int64_t expanded) {
  const Maps thin = Relu(graph, Convolve(graph, in, squeezed));
  const Maps left = Relu(graph, Convolve(graph, thin, expanded));
  const Maps right =
      Relu(graph, Convolve(graph, thin, expanded, {.kernel = 3}));
  return {
      graph.Node("Concat", {left.value, right.value}, {{"axis", int64_t{1}}}),
      2 * expanded};
}

Maps LeakyConvolve(OnnxGraph& graph, const Maps& in, int64_t channels,
                   int64_t kernel) {
  const Maps x = Convolve(graph, in, channels, {.kernel = kernel});
  return {graph.Node("LeakyRelu", {x.value}, {{"alpha", 0.1F}}), x.channels};
}

}  // namespace

std::string BuildMobileNetV2(uint64_t seed) {
  struct Stage {
    int64_t widening, channels, repeats, stride;
  };
  constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2},
                               {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2},
                               {6, 320, 1, 1}};
  OnnxGraph graph("mobilenetv2", seed);
  Maps x{graph.Input("input", {1, 3, kSide, kSide}), 3};
  x = Relu6(graph, Convolve(graph, x, 32, {.kernel = 3, .stride = 2}));
  for (const Stage& stage : kStages) {
    for (int64_t i = 0; i < stage.repeats; ++i) {
      x = InvertedResidual(graph, x, stage.channels, i == 0 ? stage.stride : 1,
                           stage.widening);
    }
  }
  return Classify(graph, Relu6(graph, Convolve(graph, x, 1280)));
}

std::string BuildResNet18(uint64_t seed) {
  OnnxGraph graph("resnet18", seed);
  Maps x{graph.Input("input", {1, 3, kSide, kSide}), 3};
  x = Relu(graph, Convolve(graph, x, 64, {.kernel = 7, .stride = 2}));
  x = MaxPool(graph, x, 3, 2, 1);
  for (const int64_t channels : {64, 128, 256, 512}) {
    x = ResidualBlock(graph, x, channels, channels == 64 ? 1 : 2);
    x = ResidualBlock(graph, x, channels, 1);
  }
  return Classify(graph, x);
}

std::string BuildSqueezeNet(uint64_t seed) {
  OnnxGraph graph("squeezenet", seed);
  Maps x{graph.Input("input", {1, 3, kSide, kSide}), 3};
  x = Relu(graph,
           Convolve(graph, x, 64, {.kernel = 3, .stride = 2, .padded = false}));
  x = MaxPool(graph, x, 3, 2, 0);
  x = Fire(graph, Fire(graph, x, 16, 64), 16, 64);
  x = MaxPool(graph, x, 3, 2, 0);
  x = Fire(graph, Fire(graph, x, 32, 128), 32, 128);
  x = MaxPool(graph, x, 3, 2, 0);
  x = Fire(graph, Fire(graph, x, 48, 192), 48, 192);
  x = Fire(graph, Fire(graph, x, 64, 256), 64, 256);
  // The classes are channels here.
  x = Convolve(graph, x, kPictureClasses);
  return graph.Finish(PoolAndFlatten(graph, x), {1, kPictureClasses});
}

std::string BuildTinyYolo(uint64_t seed) {
  constexpr int64_t kPicture = 256;
  constexpr int64_t kGrid = kPicture / 16;
  constexpr int64_t kMaps = kDetectorAnchors * kDetectorValues;
  OnnxGraph graph("tiny-yolo", seed);
  Maps x{graph.Input("input", {1, 3, kPicture, kPicture}), 3};
  for (const int64_t channels : {16, 32, 64, 128}) {
    x = MaxPool(graph, LeakyConvolve(graph, x, channels, 3), 2, 2, 0);
  }
  const Maps fine = LeakyConvolve(graph, x, 256, 3);
  // A coarser look, brought back to the finer grid and put beside it.
  x = MaxPool(graph, fine, 2, 2, 0);
  x = LeakyConvolve(graph, LeakyConvolve(graph, x, 512, 3), 128, 1);
  const Value scales = graph.Constant({4}, {1, 1, 2, 2});
  x = {graph.Node("Resize", {x.value, scales},
                  {{"mode", std::string("nearest")}}),
       x.channels};
  x = {graph.Node("Concat", {fine.value, x.value}, {{"axis", int64_t{1}}}),
       fine.channels + x.channels};
  x = Convolve(graph, LeakyConvolve(graph, x, 256, 3), kMaps, {.gain = 1});
  return graph.Finish(x.value, {1, kMaps, kGrid, kGrid});
}

}  // namespace edgewise::apps
