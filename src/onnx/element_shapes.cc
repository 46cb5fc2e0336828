// Operators that treat each element by itself, or keep the shape.
#include <algorithm>
#include <array>

#include "onnx/node_shapes.h"

namespace edgewise::onnx {
namespace {

void Same(NodeShapes& shapes) { shapes.SetLike(0, 0, shapes.TypeOf(0)); }

void SameAsBool(NodeShapes& shapes) {
  shapes.SetLike(0, 0, ElementType::kBool);
}

// All inputs from `first` on, each `step` apart, broadcast together.
void BroadcastAll(NodeShapes& shapes, size_t first, size_t step, size_t count,
                  ElementType type) {
  shapes.SetType(0, type);
  std::optional<Dims> out;
  for (size_t i = 0; i < count; ++i) {
    const Dims* dims = shapes.DimsOf(first + i * step);
    if (dims == nullptr) {
      return;
    }
    out = out ? Broadcast(*out, *dims) : *dims;
    if (!out) {
      return;
    }
  }
  if (out) {
    shapes.Set(0, type, std::move(*out));
  }
}

void Broadcasting(NodeShapes& shapes) {
  BroadcastAll(shapes, 0, 1, shapes.input_count(), shapes.TypeOf(0));
}

void Comparison(NodeShapes& shapes) {
  BroadcastAll(shapes, 0, 1, shapes.input_count(), ElementType::kBool);
}

void Where(NodeShapes& shapes) {
  BroadcastAll(shapes, 0, 1, 3, shapes.TypeOf(1));
}

// Values of a and b with a scale and a zero point each.
void QLinearBinary(NodeShapes& shapes) {
  BroadcastAll(shapes, 0, 3, 2, shapes.TypeOf(0));
}

// Further outputs are statistics that only training wants.
void Normalisation(NodeShapes& shapes) {
  shapes.SetLike(0, 0, shapes.TypeOf(0));
}

// With means and deviations, which lack the axes that are normalised.
void LayerNormalization(NodeShapes& shapes) {
  shapes.SetLike(0, 0, shapes.TypeOf(0));
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr) {
    return;
  }
  const auto axis =
      NodeShapes::Axis(shapes.node().Int("axis", -1), input->size());
  if (axis) {
    Dims rest = *input;
    std::fill(rest.begin() + static_cast<ptrdiff_t>(*axis), rest.end(), 1);
    shapes.Set(1, ElementType::kFloat, rest);
    shapes.Set(2, ElementType::kFloat, std::move(rest));
  }
}

void Dropout(NodeShapes& shapes) {
  shapes.SetLike(0, 0, shapes.TypeOf(0));
  shapes.SetLike(1, 0, ElementType::kBool);
}

void Cast(NodeShapes& shapes) {
  const auto to = static_cast<uint64_t>(shapes.node().Int("to", 0));
  shapes.SetLike(0, 0, ElementTypeFrom(to));
}

void CastLike(NodeShapes& shapes) { shapes.SetLike(0, 0, shapes.TypeOf(1)); }

void QuantizeLinear(NodeShapes& shapes) {
  shapes.SetLike(
      0, 0, shapes.In(2) != nullptr ? shapes.TypeOf(2) : ElementType::kUint8);
}

void DequantizeLinear(NodeShapes& shapes) {
  shapes.SetLike(0, 0, shapes.TypeOf(1));
}

void DynamicQuantizeLinear(NodeShapes& shapes) {
  shapes.SetLike(0, 0, ElementType::kUint8);
  shapes.Set(1, ElementType::kFloat, {});
  shapes.Set(2, ElementType::kUint8, {});
}

constexpr auto kRules = std::to_array<ShapeRule>({
    {"Abs", Same},
    {"Acos", Same},
    {"Asin", Same},
    {"Atan", Same},
    {"Ceil", Same},
    {"Celu", Same},
    {"Clip", Same},
    {"Cos", Same},
    {"CumSum", Same},
    {"Elu", Same},
    {"Erf", Same},
    {"Exp", Same},
    {"FastGelu", Same},
    {"BiasGelu", Same},
    {"Floor", Same},
    {"Gelu", Same},
    {"HardSigmoid", Same},
    {"HardSwish", Same},
    {"Hardmax", Same},
    {"Identity", Same},
    {"LRN", Same},
    {"LeakyRelu", Same},
    {"Log", Same},
    {"LogSoftmax", Same},
    {"LpNormalization", Same},
    {"MeanVarianceNormalization", Same},
    {"Mish", Same},
    {"Neg", Same},
    {"Not", Same},
    {"PRelu", Same},
    {"QLinearLeakyRelu", Same},
    {"QLinearSigmoid", Same},
    {"QLinearSoftmax", Same},
    {"QuickGelu", Same},
    {"Reciprocal", Same},
    {"Relu", Same},
    {"Round", Same},
    {"Selu", Same},
    {"Shrink", Same},
    {"Sigmoid", Same},
    {"Sign", Same},
    {"Sin", Same},
    {"Softmax", Same},
    {"Softplus", Same},
    {"Softsign", Same},
    {"Sqrt", Same},
    {"Tan", Same},
    {"Tanh", Same},
    {"ThresholdedRelu", Same},
    {"Trilu", Same},
    {"IsInf", SameAsBool},
    {"IsNaN", SameAsBool},
    {"Add", Broadcasting},
    {"And", Comparison},
    {"BitShift", Broadcasting},
    {"Div", Broadcasting},
    {"Equal", Comparison},
    {"Greater", Comparison},
    {"GreaterOrEqual", Comparison},
    {"Less", Comparison},
    {"LessOrEqual", Comparison},
    {"Max", Broadcasting},
    {"Mean", Broadcasting},
    {"Min", Broadcasting},
    {"Mod", Broadcasting},
    {"Mul", Broadcasting},
    {"Or", Comparison},
    {"Pow", Broadcasting},
    {"Sub", Broadcasting},
    {"Sum", Broadcasting},
    {"Xor", Comparison},
    {"Where", Where},
    {"QLinearAdd", QLinearBinary},
    {"QLinearMul", QLinearBinary},
    {"BatchNormalization", Normalisation},
    {"GroupNormalization", Normalisation},
    {"InstanceNormalization", Normalisation},
    {"LayerNormalization", LayerNormalization},
    {"SimplifiedLayerNormalization", Normalisation},
    {"SkipLayerNormalization", Normalisation},
    {"Dropout", Dropout},
    {"Cast", Cast},
    {"CastLike", CastLike},
    {"QuantizeLinear", QuantizeLinear},
    {"DequantizeLinear", DequantizeLinear},
    {"DynamicQuantizeLinear", DynamicQuantizeLinear},
});

}  // namespace

std::span<const ShapeRule> ElementRules() { return kRules; }

}  // namespace edgewise::onnx
