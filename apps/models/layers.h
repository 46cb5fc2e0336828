// Layers of convolutional networks, as nodes of a graph. Batch normalisation is
// folded into weights and biases, as exporters do for inference.
#ifndef EDGEWISE_APPS_MODELS_LAYERS_H_
#define EDGEWISE_APPS_MODELS_LAYERS_H_

#include <cstdint>
#include <string>

#include "models/onnx_graph.h"

namespace edgewise::apps {

// A value with its number of channels, which the next layer must know.
struct Maps {
  OnnxGraph::Value value;
  int64_t channels = 0;
};

struct Convolution {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t groups = 1;
  double gain = 2;
  bool padded = true;  // keeps the size, but for the stride
};

Maps Convolve(OnnxGraph& graph, const Maps& in, int64_t out_channels,
              const Convolution& how = {});
Maps Relu(OnnxGraph& graph, const Maps& in);
Maps Relu6(OnnxGraph& graph, const Maps& in);
// x * sigmoid(x).
Maps Swish(OnnxGraph& graph, const Maps& in);
// x * relu6(x + 3): six times the usual one; the layer that follows makes up
// for it by kAfterHardSwish.
Maps HardSwish(OnnxGraph& graph, const Maps& in);
inline constexpr double kAfterHardSwish = 2.0 / 36;  // gain of weights
Maps MaxPool(OnnxGraph& graph, const Maps& in, int64_t kernel, int64_t stride,
             int64_t pad);
Maps Add(OnnxGraph& graph, const Maps& a, const Maps& b);
// Channels weighted by what a small network makes of their means (Hu et al.
// 2018).
Maps SqueezeAndExcite(OnnxGraph& graph, const Maps& in, int64_t squeezed);
OnnxGraph::Value PoolAndFlatten(OnnxGraph& graph, const Maps& in);
// The whole file: means of the maps, then scores of 1000 classes.
std::string Classify(OnnxGraph& graph, const Maps& in);
inline constexpr int64_t kPictureClasses = 1000;

// Widens, filters each channel by itself, narrows (Sandler et al. 2018).
Maps InvertedResidual(OnnxGraph& graph, const Maps& in, int64_t out_channels,
                      int64_t stride, int64_t widening);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_MODELS_LAYERS_H_
