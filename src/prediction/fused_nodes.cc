#include "prediction/fused_nodes.h"

#include <vector>

#include "onnx/node_cost.h"

namespace edgewise {
namespace {

using onnx::GraphFacts;
using onnx::GraphLinks;
using onnx::Node;

class Fusion {
 public:
  Fusion(const GraphFacts& facts, const GraphLinks& links, FusedNodes& fused)
      : facts_(facts), links_(links), fused_(fused) {}

  void Visit(const Node& node) {
    if (fused_.absorbed.contains(&node) || node.outputs.empty()) {
      return;
    }
    if (IsWeighted(node)) {
      AbsorbFollowers(node);
    } else if (node.op == "Sigmoid" || node.op == "HardSigmoid") {
      FindSwish(node);
    } else if (node.op == "Erf") {
      FindGelu(node);
    } else if (node.op == "Sqrt") {
      FindLayerNorm(node);
    }
  }

 private:
  const Node* MakerOf(const Node& node, size_t input = 0) const {
    return input < node.inputs.size() ? links_.MakerOf(node.inputs[input])
                                      : nullptr;
  }
  const Node* OnlyUser(const Node& node) const {
    return links_.OnlyUserOf(node.outputs[0]);
  }
  bool HasConstant(const Node& node) const {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const onnx::ValueFacts* facts = onnx::InputFacts(facts_, node, i);
      if (facts != nullptr && facts->constant) {
        return true;
      }
    }
    return false;
  }
  // A convolution or a fully connected layer.
  bool IsWeighted(const Node& node) const {
    const onnx::ValueFacts* weight =
        onnx::InputFacts(facts_, node, onnx::WeightInput(node));
    return (onnx::IsConvolution(node) || onnx::IsMatrixProduct(node) ||
            node.op == "Gemm" || node.op == "ConvTranspose") &&
           weight != nullptr && weight->constant;
  }

  // The chain of nodes that an engine does while it has the results at hand.
  void AbsorbFollowers(const Node& node) {
    const Node* next = OnlyUser(node);
    while (next != nullptr && !next->outputs.empty()) {
      const bool scales =
          (next->op == "Add" || next->op == "Mul") && HasConstant(*next);
      const bool activates = next->op == "Relu" || next->op == "Clip" ||
                             next->op == "LeakyRelu" || next->op == "PRelu";
      const bool requantises = next->op == "QuantizeLinear" ||
                               next->op == "DequantizeLinear" ||
                               next->op == "Cast";
      if (next->op != "BatchNormalization" && !scales && !activates &&
          !requantises) {
        return;
      }
      fused_.absorbed.insert(next);
      if (activates) {
        return;
      }
      next = OnlyUser(*next);
    }
  }

  // x * Sigmoid(x).
  void FindSwish(const Node& node) {
    const Node* product = OnlyUser(node);
    if (product == nullptr || product->op != "Mul" || node.inputs.empty()) {
      return;
    }
    for (const std::string_view name : product->inputs) {
      if (name == node.inputs[0]) {
        fused_.absorbed.insert(product);
        fused_.stands_for[&node] = node.op == "Sigmoid" ? "Swish" : "HardSwish";
      }
    }
  }

  // x / sqrt(2) -> Erf -> + 1 -> * x -> / 2, the last two in any order.
  void FindGelu(const Node& node) {
    const Node* scale = MakerOf(node);
    const Node* sum = OnlyUser(node);
    if (scale == nullptr || (scale->op != "Div" && scale->op != "Mul") ||
        sum == nullptr || sum->op != "Add") {
      return;
    }
    const Node* product = OnlyUser(*sum);
    if (product == nullptr || product->op != "Mul") {
      return;
    }
    fused_.absorbed.insert({scale, sum, product});
    const Node* half = OnlyUser(*product);
    if (half != nullptr && half->op == "Mul" && HasConstant(*half)) {
      fused_.absorbed.insert(half);
    }
    fused_.stands_for[&node] = "GELU";
  }

  // mean -> x - mean -> square -> mean -> + eps -> Sqrt -> divide -> * -> +.
  void FindLayerNorm(const Node& node) {
    const Node* sum = MakerOf(node);
    const Node* variance = sum != nullptr ? MakerOf(*sum) : nullptr;
    const Node* square = variance != nullptr ? MakerOf(*variance) : nullptr;
    const Node* centred = square != nullptr ? MakerOf(*square) : nullptr;
    const Node* quotient = OnlyUser(node);
    if (centred == nullptr || quotient == nullptr || sum->op != "Add" ||
        variance->op != "ReduceMean" || centred->op != "Sub" ||
        quotient->op != "Div") {
      return;
    }
    fused_.absorbed.insert({sum, variance, square, centred, quotient});
    if (const Node* mean = MakerOf(*centred, 1);
        mean != nullptr && mean->op == "ReduceMean") {
      fused_.absorbed.insert(mean);
    }
    const Node* next = OnlyUser(*quotient);
    for (const std::string_view op : {"Mul", "Add"}) {
      if (next != nullptr && next->op == op && HasConstant(*next)) {
        fused_.absorbed.insert(next);
        next = OnlyUser(*next);
      }
    }
    fused_.stands_for[&node] = "LayerNorm";
  }

  const GraphFacts& facts_;
  const GraphLinks& links_;
  FusedNodes& fused_;
};

}  // namespace

FusedNodes FindFusedNodes(const onnx::Model& model, const GraphFacts& facts,
                          const GraphLinks& links) {
  FusedNodes fused;
  Fusion fusion(facts, links, fused);
  for (const Node& node : model.nodes) {
    fusion.Visit(node);
  }
  return fused;
}

}  // namespace edgewise
