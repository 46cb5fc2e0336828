// Networks on vectors and sequences. Constants stand on the right of products
// and have rank 1 in sums, as OpenCV 4.6 wants them.
#include "models/architectures.h"
#include "models/encoder.h"
#include "models/onnx_graph.h"

namespace edgewise::apps {
namespace {

using Value = OnnxGraph::Value;

constexpr int64_t kClasses = 10;
constexpr int64_t kSide = 28;

Value Dense(OnnxGraph& graph, const Value& in, int64_t in_size,
            int64_t out_size, double gain = 2) {
  const Value weights = graph.Weights({out_size, in_size}, in_size, gain);
  const Value bias = graph.Weights({out_size}, 100);
  return graph.Node("Gemm", {in, weights, bias}, {{"transB", int64_t{1}}});
}

}  // namespace

std::string BuildMlp(uint64_t seed) {
  OnnxGraph graph("mlp", seed);
  Value x = graph.Input("input", {1, kSide * kSide});
  x = graph.Node("Relu", {Dense(graph, x, kSide * kSide, 512)});
  x = graph.Node("Relu", {Dense(graph, x, 512, 256)});
  return graph.Finish(Dense(graph, x, 256, kClasses, 1), {1, kClasses});
}

std::string BuildLstm(uint64_t seed) {
  constexpr int64_t kHidden = 128;
  OnnxGraph graph("lstm", seed);
  const Value rows = graph.Input("input", {kSide, 1, kSide});
  const Value lstm =
      graph.Node("LSTM",
                 {rows, graph.Weights({1, 4 * kHidden, kSide}, kSide, 1),
                  graph.Weights({1, 4 * kHidden, kHidden}, kHidden, 1),
                  graph.Weights({1, 8 * kHidden}, 100)},
                 {{"hidden_size", kHidden}});
  // All steps: rows x direction x batch x hidden.
  const Value flat =
      graph.Node("Reshape", {lstm, graph.Shape({1, kSide * kHidden})});
  return graph.Finish(Dense(graph, flat, kSide * kHidden, kClasses, 1),
                      {1, kClasses});
}

std::string BuildTransformer(uint64_t seed) {
  constexpr int kLayers = 2;
  constexpr int64_t kTokens = 49;
  constexpr int64_t kSize = 64;
  constexpr int64_t kPatch = 16;  // 4 x 4 pixels of 28 x 28
  OnnxGraph graph("transformer", seed);
  Encoder encoder(graph, {kTokens, kSize, 4});
  Value x = graph.Input("input", {1, kTokens, kPatch});
  x = encoder.Linear(x, kPatch, kSize, 1);
  for (int layer = 0; layer < kLayers; ++layer) {
    x = encoder.Layer(x);
  }
  x = encoder.Normalized(x);
  const Value flat =
      graph.Node("Reshape", {x, graph.Shape({1, kTokens * kSize})});
  return graph.Finish(Dense(graph, flat, kTokens * kSize, kClasses, 1),
                      {1, kClasses});
}

namespace {

// Texts come as embeddings: looking them up is left to the program.
std::string BuildBert(const char* name, uint64_t seed,
                      const EncoderShape& shape, int layers) {
  OnnxGraph graph(name, seed);
  Encoder encoder(graph, shape);
  Value x = graph.Input("input", {1, shape.tokens, shape.size});
  for (int layer = 0; layer < layers; ++layer) {
    x = encoder.Layer(x);
  }
  x = encoder.Normalized(x);
  return graph.Finish(encoder.Linear(x, shape.size, kClasses, 1),
                      {1, shape.tokens, kClasses});
}

}  // namespace

std::string BuildBertSmall(uint64_t seed) {
  return BuildBert("bert-small", seed, {32, 256, 4}, 4);
}

std::string BuildBertTiny(uint64_t seed) {
  return BuildBert("bert-tiny", seed, {48, 128, 2}, 2);
}

}  // namespace edgewise::apps
