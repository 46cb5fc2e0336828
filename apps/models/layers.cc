#include "models/layers.h"

namespace edgewise::apps {
namespace {

using Value = OnnxGraph::Value;
using Ints = std::vector<int64_t>;

}  // namespace

Maps Convolve(OnnxGraph& graph, const Maps& in, int64_t out_channels,
              const Convolution& how) {
  const int64_t group_channels = in.channels / how.groups;
  const int64_t fan_in = group_channels * how.kernel * how.kernel;
  const int64_t pad = how.padded ? how.kernel / 2 : 0;
  const Value weights = graph.Weights(
      {out_channels, group_channels, how.kernel, how.kernel}, fan_in, how.gain);
  const Value bias = graph.Weights({out_channels}, 100);
  return {graph.Node("Conv", {in.value, weights, bias},
                     {{"kernel_shape", Ints{how.kernel, how.kernel}},
                      {"strides", Ints{how.stride, how.stride}},
                      {"pads", Ints{pad, pad, pad, pad}},
                      {"group", how.groups},
                      {"dilations", Ints{1, 1}}}),
          out_channels};
}

Maps Relu(OnnxGraph& graph, const Maps& in) {
  return {graph.Node("Relu", {in.value}), in.channels};
}

Maps Relu6(OnnxGraph& graph, const Maps& in) {
  return {graph.Node("Clip", {in.value}, {{"min", 0.0F}, {"max", 6.0F}}),
          in.channels};
}

Maps MaxPool(OnnxGraph& graph, const Maps& in, int64_t kernel, int64_t stride,
             int64_t pad) {
  return {graph.Node("MaxPool", {in.value},
                     {{"kernel_shape", Ints{kernel, kernel}},
                      {"strides", Ints{stride, stride}},
                      {"pads", Ints{pad, pad, pad, pad}}}),
          in.channels};
}

Maps Add(OnnxGraph& graph, const Maps& a, const Maps& b) {
  return {graph.Node("Add", {a.value, b.value}), a.channels};
}

Value PoolAndFlatten(OnnxGraph& graph, const Maps& in) {
  const Value pooled = graph.Node("GlobalAveragePool", {in.value});
  return graph.Node("Flatten", {pooled}, {{"axis", int64_t{1}}});
}

std::string Classify(OnnxGraph& graph, const Maps& in) {
  const Value flat = PoolAndFlatten(graph, in);
  const Value weights =
      graph.Weights({kPictureClasses, in.channels}, in.channels, 1);
  const Value bias = graph.Weights({kPictureClasses}, 100);
  return graph.Finish(
      graph.Node("Gemm", {flat, weights, bias}, {{"transB", int64_t{1}}}),
      {1, kPictureClasses});
}

Maps Swish(OnnxGraph& graph, const Maps& in) {
  const Value gate = graph.Node("Sigmoid", {in.value});
  return {graph.Node("Mul", {in.value, gate}), in.channels};
}

Maps HardSwish(OnnxGraph& graph, const Maps& in) {
  const Value moved =
      graph.Node("Add", {in.value, graph.Constant({1}, {3.0F})});
  const Value gate =
      graph.Node("Clip", {moved}, {{"min", 0.0F}, {"max", 6.0F}});
  return {graph.Node("Mul", {in.value, gate}), in.channels};
}

Maps SqueezeAndExcite(OnnxGraph& graph, const Maps& in, int64_t squeezed) {
  Maps gate{graph.Node("GlobalAveragePool", {in.value}), in.channels};
  gate = Relu(graph, Convolve(graph, gate, squeezed));
  gate = Convolve(graph, gate, in.channels, {.gain = 1});
  const Value opened = graph.Node("Sigmoid", {gate.value});
  return {graph.Node("Mul", {in.value, opened}), in.channels};
}

Maps InvertedResidual(OnnxGraph& graph, const Maps& in, int64_t out_channels,
                      int64_t stride, int64_t widening) {
  const int64_t wide = in.channels * widening;
  Maps x = in;
  if (widening != 1) {
    x = Relu6(graph, Convolve(graph, x, wide));
  }
  x = Relu6(graph, Convolve(graph, x, wide,
                            {.kernel = 3, .stride = stride, .groups = wide}));
  x = Convolve(graph, x, out_channels, {.gain = 1});
  return stride == 1 && in.channels == out_channels ? Add(graph, in, x) : x;
}

}  // namespace edgewise::apps
