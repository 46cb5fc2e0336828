// Products of matrices, recurrent cells and fused attention.
#include <array>

#include "onnx/node_shapes.h"

namespace edgewise::onnx {
namespace {

void Gemm(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const Dims* a = shapes.DimsOf(0);
  const Dims* b = shapes.DimsOf(1);
  if (a == nullptr || b == nullptr || a->size() != 2 || b->size() != 2) {
    return;
  }
  const bool turn_a = shapes.node().Int("transA", 0) != 0;
  const bool turn_b = shapes.node().Int("transB", 0) != 0;
  shapes.Set(0, shapes.TypeOf(0), {(*a)[turn_a ? 1 : 0], (*b)[turn_b ? 0 : 1]});
}

void Multiply(NodeShapes& shapes, size_t second, ElementType type) {
  shapes.SetType(0, type);
  const Dims* left = shapes.DimsOf(0);
  const Dims* right = shapes.DimsOf(second);
  if (left == nullptr || right == nullptr || left->empty() || right->empty()) {
    return;
  }
  // Vectors are matrices of one row or column, which the product lacks.
  Dims a = *left;
  Dims b = *right;
  if (left->size() == 1) {
    a.insert(a.begin(), 1);
  }
  if (right->size() == 1) {
    b.push_back(1);
  }
  const auto batch =
      Broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
  if (!batch || a.back() != b[b.size() - 2]) {
    return;
  }
  Dims out = *batch;
  if (left->size() > 1) {
    out.push_back(a[a.size() - 2]);
  }
  if (right->size() > 1) {
    out.push_back(b.back());
  }
  shapes.Set(0, type, std::move(out));
}

void MatMul(NodeShapes& shapes) { Multiply(shapes, 1, shapes.TypeOf(0)); }
void MatMulInteger(NodeShapes& shapes) {
  Multiply(shapes, 1, ElementType::kInt32);
}
void MatMulIntegerToFloat(NodeShapes& shapes) {
  Multiply(shapes, 1, ElementType::kFloat);
}
void QLinearMatMul(NodeShapes& shapes) {
  Multiply(shapes, 3, shapes.TypeOf(7));
}

// X is steps x batch x size, or with layout 1 batch x steps x size.
void Recurrent(NodeShapes& shapes) {
  const ElementType type = shapes.TypeOf(0);
  for (size_t i = 0; i < shapes.output_count(); ++i) {
    shapes.SetType(i, type);
  }
  const Dims* x = shapes.DimsOf(0);
  const Dims* recurrence = shapes.DimsOf(2);
  if (x == nullptr || x->size() != 3 || recurrence == nullptr ||
      recurrence->size() != 3) {
    return;
  }
  const int64_t directions = (*recurrence)[0];
  const int64_t hidden = (*recurrence)[2];
  const bool batch_first = shapes.node().Int("layout", 0) != 0;
  const int64_t steps = (*x)[batch_first ? 1 : 0];
  const int64_t batch = (*x)[batch_first ? 0 : 1];
  const Dims state = batch_first ? Dims{batch, directions, hidden}
                                 : Dims{directions, batch, hidden};
  shapes.Set(0, type,
             batch_first ? Dims{batch, steps, directions, hidden}
                         : Dims{steps, directions, batch, hidden});
  shapes.Set(1, type, state);
  shapes.Set(2, type, state);
}

// ONNX Runtime's: input, weights of all three projections, bias.
void Attention(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const Dims* input = shapes.DimsOf(0);
  const Dims* weights = shapes.DimsOf(1);
  if (shapes.node().domain == "com.microsoft" && input != nullptr &&
      input->size() == 3 && weights != nullptr && weights->size() == 2) {
    shapes.Set(0, shapes.TypeOf(0),
               {(*input)[0], (*input)[1], (*weights)[1] / 3});
  }
}

constexpr auto kRules = std::to_array<ShapeRule>({
    {"Gemm", Gemm},
    {"FusedGemm", Gemm},
    {"MatMul", MatMul},
    {"MatMulInteger", MatMulInteger},
    {"MatMulIntegerToFloat", MatMulIntegerToFloat},
    {"DynamicQuantizeMatMul", MatMul},
    {"QLinearMatMul", QLinearMatMul},
    {"LSTM", Recurrent},
    {"GRU", Recurrent},
    {"RNN", Recurrent},
    {"Attention", Attention},
});

}  // namespace

std::span<const ShapeRule> ProductRules() { return kRules; }

}  // namespace edgewise::onnx
