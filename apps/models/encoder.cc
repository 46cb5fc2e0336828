#include "models/encoder.h"

namespace edgewise::apps {
namespace {

using Ints = std::vector<int64_t>;

}  // namespace

Encoder::Value Encoder::Layer(const Value& in) {
  const Value attended = graph_.Node("Add", {in, Attention(Normalized(in))});
  const Value wide = graph_.Node(
      "Relu", {Linear(Normalized(attended), shape_.size, 4 * shape_.size, 2)});
  return graph_.Node("Add",
                     {attended, Linear(wide, 4 * shape_.size, shape_.size, 1)});
}

Encoder::Value Encoder::Normalized(const Value& in) {
  const Value mean = Mean(in);
  const Value centred = graph_.Node("Sub", {in, mean});
  const Value variance =
      Mean(graph_.Node("Pow", {centred, graph_.Constant({1}, {2})}));
  const Value deviation = graph_.Node(
      "Sqrt", {graph_.Node("Add", {variance, graph_.Constant({1}, {1e-5F})})});
  return graph_.Node("Div", {centred, deviation});
}

Encoder::Value Encoder::Linear(const Value& in, int64_t in_size,
                               int64_t out_size, double gain) {
  const Value weights = graph_.Weights({in_size, out_size}, in_size, gain);
  const Value bias = graph_.Weights({out_size}, 100);
  return graph_.Node("Add", {graph_.Node("MatMul", {in, weights}), bias});
}

Encoder::Value Encoder::Mean(const Value& in) {
  return graph_.Node("ReduceMean", {in},
                     {{"axes", Ints{2}}, {"keepdims", int64_t{1}}});
}

Encoder::Value Encoder::Heads(const Value& in, const Ints& order) {
  const Value shape = graph_.Shape(
      {1, shape_.tokens, shape_.heads, shape_.size / shape_.heads});
  return graph_.Node("Transpose", {graph_.Node("Reshape", {in, shape})},
                     {{"perm", order}});
}

Encoder::Value Encoder::Attention(const Value& in) {
  // Scores are divided by the root of the head's size, which is folded into
  // the query: OpenCV 4.6 miscomputes a product with a constant that follows
  // a product of two values.
  const int64_t head_size = shape_.size / shape_.heads;
  const Value query = Heads(Linear(in, shape_.size, shape_.size,
                                   1.0 / static_cast<double>(head_size)),
                            {0, 2, 1, 3});
  const Value key =
      Heads(Linear(in, shape_.size, shape_.size, 1), {0, 2, 3, 1});
  const Value content =
      Heads(Linear(in, shape_.size, shape_.size, 1), {0, 2, 1, 3});
  const Value scores = graph_.Node("MatMul", {query, key});
  const Value shares = graph_.Node("Softmax", {scores}, {{"axis", int64_t{3}}});
  const Value mixed =
      graph_.Node("Transpose", {graph_.Node("MatMul", {shares, content})},
                  {{"perm", Ints{0, 2, 1, 3}}});
  const Value joined = graph_.Node(
      "Reshape", {mixed, graph_.Shape({1, shape_.tokens, shape_.size})});
  return Linear(joined, shape_.size, shape_.size, 1);
}

}  // namespace edgewise::apps
