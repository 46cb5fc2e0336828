// Networks on vectors and sequences. Constants stand on the right of products
// and have rank 1 in sums, as OpenCV 4.6 wants them.
#include "models/architectures.h"
#include "models/onnx_graph.h"

namespace edgewise::apps {
namespace {

using Value = OnnxGraph::Value;
using Ints = std::vector<int64_t>;

constexpr int64_t kClasses = 10;
constexpr int64_t kSide = 28;

Value Dense(OnnxGraph& graph, const Value& in, int64_t in_size,
            int64_t out_size, double gain = 2) {
  const Value weights = graph.Weights({out_size, in_size}, in_size, gain);
  const Value bias = graph.Weights({out_size}, 100);
  return graph.Node("Gemm", {in, weights, bias}, {{"transB", int64_t{1}}});
}

// One layer of a transformer's encoder (Vaswani et al. 2017), normalised
// first. Values are 1 x kTokens x kSize.
class Encoder {
 public:
  static constexpr int64_t kTokens = 49;
  static constexpr int64_t kSize = 64;

  explicit Encoder(OnnxGraph& graph) : graph_(graph) {}

  Value Layer(const Value& in) {
    const Value attended = graph_.Node("Add", {in, Attention(Normalized(in))});
    const Value wide =
        graph_.Node("Relu", {Linear(Normalized(attended), kSize, kInner, 2)});
    return graph_.Node("Add", {attended, Linear(wide, kInner, kSize, 1)});
  }

  // To mean 0 and variance 1 along the last axis. The scale and shift of a
  // trained one are folded into the layer that follows.
  Value Normalized(const Value& in) {
    const Value mean = Mean(in);
    const Value centred = graph_.Node("Sub", {in, mean});
    const Value variance =
        Mean(graph_.Node("Pow", {centred, graph_.Constant({1}, {2})}));
    const Value deviation = graph_.Node(
        "Sqrt",
        {graph_.Node("Add", {variance, graph_.Constant({1}, {1e-5F})})});
    return graph_.Node("Div", {centred, deviation});
  }

  Value Linear(const Value& in, int64_t in_size, int64_t out_size,
               double gain) {
    const Value weights = graph_.Weights({in_size, out_size}, in_size, gain);
    const Value bias = graph_.Weights({out_size}, 100);
    return graph_.Node("Add", {graph_.Node("MatMul", {in, weights}), bias});
  }

 private:
  static constexpr int64_t kHeads = 4;
  static constexpr int64_t kHeadSize = kSize / kHeads;
  static constexpr int64_t kInner = 4 * kSize;

  Value Mean(const Value& in) {
    return graph_.Node("ReduceMean", {in},
                       {{"axes", Ints{2}}, {"keepdims", int64_t{1}}});
  }

  // 1 x heads x ..., with the axes of tokens and sizes in this order.
  Value Heads(const Value& in, const Ints& order) {
    const Value shape = graph_.Shape({1, kTokens, kHeads, kHeadSize});
    return graph_.Node("Transpose", {graph_.Node("Reshape", {in, shape})},
                       {{"perm", order}});
  }

  Value Attention(const Value& in) {
    // Scores are divided by the root of the head's size, which is folded into
    // the query: OpenCV 4.6 miscomputes a product with a constant that follows
    // a product of two values.
    const Value query =
        Heads(Linear(in, kSize, kSize, 1.0 / kHeadSize), {0, 2, 1, 3});
    const Value key = Heads(Linear(in, kSize, kSize, 1), {0, 2, 3, 1});
    const Value content = Heads(Linear(in, kSize, kSize, 1), {0, 2, 1, 3});
    const Value scores = graph_.Node("MatMul", {query, key});
    const Value shares =
        graph_.Node("Softmax", {scores}, {{"axis", int64_t{3}}});
    const Value mixed =
        graph_.Node("Transpose", {graph_.Node("MatMul", {shares, content})},
                    {{"perm", Ints{0, 2, 1, 3}}});
    const Value joined =
        graph_.Node("Reshape", {mixed, graph_.Shape({1, kTokens, kSize})});
    return Linear(joined, kSize, kSize, 1);
  }

  OnnxGraph& graph_;
};

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
  constexpr int64_t kPatch = 16;  // 4 x 4 pixels of 28 x 28
  OnnxGraph graph("transformer", seed);
  Encoder encoder(graph);
  Value x = graph.Input("input", {1, Encoder::kTokens, kPatch});
  x = encoder.Linear(x, kPatch, Encoder::kSize, 1);
  for (int layer = 0; layer < kLayers; ++layer) {
    x = encoder.Layer(x);
  }
  x = encoder.Normalized(x);
  const Value flat = graph.Node(
      "Reshape", {x, graph.Shape({1, Encoder::kTokens * Encoder::kSize})});
  return graph.Finish(
      Dense(graph, flat, Encoder::kTokens * Encoder::kSize, kClasses, 1),
      {1, kClasses});
}

}  // namespace edgewise::apps
