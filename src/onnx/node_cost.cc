#include "onnx/node_cost.h"

#include <algorithm>
#include <array>
#include <set>

#include "onnx/node_shapes.h"

namespace edgewise::onnx {
namespace {

template <size_t n>
bool IsOneOf(std::string_view op, const std::array<std::string_view, n>& ops) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

const Dims* DimsIn(const GraphFacts& facts, const Node& node, size_t input) {
  const ValueFacts* value = InputFacts(facts, node, input);
  return value != nullptr && value->dims ? &*value->dims : nullptr;
}

const Dims* DimsOut(const GraphFacts& facts, const Node& node) {
  const ValueFacts* value =
      node.outputs.empty() ? nullptr : FactsFor(facts, node.outputs[0]);
  return value != nullptr && value->dims ? &*value->dims : nullptr;
}

// Of one output element: channels of its group times the kernel.
std::optional<double> ConvolutionMacs(const Node& node,
                                      const GraphFacts& facts) {
  const Dims* weight = DimsIn(facts, node, WeightInput(node));
  const Dims* out = DimsOut(facts, node);
  if (weight == nullptr || out == nullptr || weight->empty()) {
    return std::nullopt;
  }
  return ElementsOf(*out) * ElementsOf({weight->begin() + 1, weight->end()});
}

// Each input element meets all outputs of its group.
std::optional<double> TransposedMacs(const Node& node,
                                     const GraphFacts& facts) {
  const Dims* weight = DimsIn(facts, node, 1);
  const Dims* in = DimsIn(facts, node, 0);
  if (weight == nullptr || in == nullptr || weight->empty()) {
    return std::nullopt;
  }
  return ElementsOf(*in) * ElementsOf({weight->begin() + 1, weight->end()});
}

std::optional<double> ProductMacs(const Node& node, const GraphFacts& facts,
                                  bool first_turned) {
  const Dims* a = DimsIn(facts, node, 0);
  const Dims* out = DimsOut(facts, node);
  if (a == nullptr || out == nullptr || a->empty()) {
    return std::nullopt;
  }
  const int64_t inner = first_turned ? a->front() : a->back();
  return ElementsOf(*out) * static_cast<double>(inner);
}

// W and R are directions x gates*hidden x (input, hidden).
std::optional<double> RecurrentMacs(const Node& node, const GraphFacts& facts) {
  const Dims* x = DimsIn(facts, node, 0);
  const Dims* w = DimsIn(facts, node, 1);
  const Dims* r = DimsIn(facts, node, 2);
  if (x == nullptr || w == nullptr || r == nullptr || x->size() != 3) {
    return std::nullopt;
  }
  return static_cast<double>((*x)[0]) * static_cast<double>((*x)[1]) *
         (ElementsOf(*w) + ElementsOf(*r));
}

// ONNX Runtime's fused attention: three projections, scores, and their use.
std::optional<double> AttentionMacs(const Node& node, const GraphFacts& facts) {
  const Dims* in = DimsIn(facts, node, 0);
  const Dims* weights = DimsIn(facts, node, 1);
  const Dims* out = DimsOut(facts, node);
  if (in == nullptr || weights == nullptr || out == nullptr ||
      in->size() != 3 || weights->size() != 2) {
    return std::nullopt;
  }
  const double rows =
      static_cast<double>((*in)[0]) * static_cast<double>((*in)[1]);
  return rows * ElementsOf(*weights) +
         2 * ElementsOf(*out) * static_cast<double>((*in)[1]);
}

std::optional<double> MacsOf(const Node& node, const GraphFacts& facts) {
  if (IsConvolution(node)) {
    return ConvolutionMacs(node, facts);
  }
  if (node.op == "ConvTranspose") {
    return TransposedMacs(node, facts);
  }
  if (node.op == "Gemm" || node.op == "FusedGemm") {
    return ProductMacs(node, facts, node.Int("transA", 0) != 0);
  }
  if (IsMatrixProduct(node)) {
    return ProductMacs(node, facts, false);
  }
  if (node.op == "LSTM" || node.op == "GRU" || node.op == "RNN") {
    return RecurrentMacs(node, facts);
  }
  if (node.op == "Attention") {
    return AttentionMacs(node, facts);
  }
  const std::string name = OperatorName(node);
  const bool known = !facts.unknown_operators.contains(name) &&
                     !facts.not_followed.contains(name);
  return known ? std::optional(0.0) : std::nullopt;
}

bool IsDepthwise(const Node& node, const GraphFacts& facts) {
  const int64_t groups = node.Int("group", 1);
  const Dims* weight = DimsIn(facts, node, WeightInput(node));
  if (groups <= 1 || weight == nullptr || weight->size() < 2) {
    return false;
  }
  return node.op == "ConvTranspose" ? (*weight)[0] == groups
                                    : (*weight)[1] == 1;
}

}  // namespace

const ValueFacts* FactsFor(const GraphFacts& facts, std::string_view name) {
  const auto found = facts.values.find(name);
  return found == facts.values.end() ? nullptr : &found->second;
}

const ValueFacts* InputFacts(const GraphFacts& facts, const Node& node,
                             size_t input) {
  return input < node.inputs.size() && !node.inputs[input].empty()
             ? FactsFor(facts, node.inputs[input])
             : nullptr;
}

bool IsConvolution(const Node& node) {
  static constexpr std::array<std::string_view, 4> kOps = {
      "Conv", "FusedConv", "ConvInteger", "QLinearConv"};
  return IsOneOf(node.op, kOps);
}

bool IsMatrixProduct(const Node& node) {
  static constexpr std::array<std::string_view, 5> kOps = {
      "MatMul", "MatMulInteger", "MatMulIntegerToFloat",
      "DynamicQuantizeMatMul", "QLinearMatMul"};
  return IsOneOf(node.op, kOps);
}

size_t WeightInput(const Node& node) {
  return node.op == "QLinearConv" || node.op == "QLinearMatMul" ? 3 : 1;
}

NodeCost CostOf(const Node& node, const GraphFacts& facts) {
  static constexpr std::array<std::string_view, 6> kViews = {
      "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout"};
  NodeCost cost;
  cost.folded = !node.outputs.empty();
  double out_bytes = 0;
  bool out_known = true;
  for (const std::string_view name : node.outputs) {
    const ValueFacts* value = name.empty() ? nullptr : FactsFor(facts, name);
    if (value == nullptr) {
      continue;
    }
    cost.folded = cost.folded && value->constant;
    out_known = out_known && value->dims;
    out_bytes += value->bytes().value_or(0);
  }
  if (cost.folded) {
    cost.macs = 0;
    cost.in_bytes = 0;
    cost.out_bytes = 0;
    return cost;
  }
  double in_bytes = 0;
  bool in_known = true;
  std::set<std::string_view> seen;
  for (const std::string_view name : node.inputs) {
    const ValueFacts* value = name.empty() ? nullptr : FactsFor(facts, name);
    if (value == nullptr || !seen.insert(name).second) {
      continue;
    }
    if (value->constant) {
      cost.parameters += value->parameters;
      cost.weight_bytes += value->stored_bytes;
    } else {
      in_known = in_known && value->dims;
      in_bytes += value->bytes().value_or(0);
    }
  }
  cost.view = IsOneOf(node.op, kViews);
  cost.in_bytes =
      in_known ? std::optional(cost.view ? 0 : in_bytes) : std::nullopt;
  cost.out_bytes =
      out_known ? std::optional(cost.view ? 0 : out_bytes) : std::nullopt;
  cost.macs = MacsOf(node, facts);
  cost.depthwise = (IsConvolution(node) || node.op == "ConvTranspose") &&
                   IsDepthwise(node, facts);
  const ValueFacts* weight = InputFacts(facts, node, WeightInput(node));
  cost.int8 = cost.macs.value_or(0) > 0 && weight != nullptr &&
              (weight->constant ? IsSmallInteger(weight->stored_type)
                                : IsSmallInteger(weight->type));
  return cost;
}

}  // namespace edgewise::onnx
