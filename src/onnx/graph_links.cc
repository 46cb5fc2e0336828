#include "onnx/graph_links.h"

#include <algorithm>

#include "onnx/node_cost.h"

namespace edgewise::onnx {
namespace {

// Far enough for masks, scales and changes of layout in between.
constexpr size_t kMostSteps = 64;

// What may stand between a product and its Softmax.
bool IsPassedThrough(std::string_view op) {
  static const std::set<std::string_view> kOps = {
      "Add",  "Sub",       "Mul",     "Div",     "Where",     "Reshape", "Cast",
      "Clip", "Transpose", "Dropout", "Squeeze", "Unsqueeze", "Identity"};
  return kOps.contains(op);
}

bool IsProductOfTwo(const Node& node, const GraphFacts& facts) {
  if (!IsMatrixProduct(node)) {
    return false;
  }
  const ValueFacts* a = InputFacts(facts, node, 0);
  const ValueFacts* b = InputFacts(facts, node, WeightInput(node));
  return a != nullptr && b != nullptr && !a->constant && !b->constant;
}

// The nearest product of two computed values, following `next` from `start`.
template <typename Next>
const Node* NearestProduct(const Node& start, const GraphFacts& facts,
                           const Next& next) {
  std::vector<const Node*> waiting{&start};
  std::set<const Node*> seen{&start};
  for (size_t i = 0; i < waiting.size() && i < kMostSteps; ++i) {
    for (const Node* node : next(*waiting[i])) {
      if (IsProductOfTwo(*node, facts)) {
        return node;
      }
      if (IsPassedThrough(node->op) && seen.size() < kMostSteps &&
          seen.insert(node).second) {
        waiting.push_back(node);
      }
    }
  }
  return nullptr;
}

}  // namespace

GraphLinks::GraphLinks(const Model& model) {
  for (const Tensor& tensor : model.initializers) {
    initializers_.insert(tensor.name);
  }
  for (const ValueInfo& output : model.outputs) {
    outputs_.insert(output.name);
  }
  for (const Node& node : model.nodes) {
    for (const std::string_view name : node.outputs) {
      if (!name.empty()) {
        makers_[name] = &node;
      }
    }
    for (const std::string_view name : node.inputs) {
      if (!name.empty()) {
        users_[name].push_back(&node);
      }
    }
  }
}

const Node* GraphLinks::MakerOf(std::string_view value) const {
  const auto found = makers_.find(value);
  return found == makers_.end() ? nullptr : found->second;
}

const std::vector<const Node*>& GraphLinks::UsersOf(
    std::string_view value) const {
  static const std::vector<const Node*> kNone;
  const auto found = users_.find(value);
  return found == users_.end() ? kNone : found->second;
}

const Node* GraphLinks::OnlyUserOf(std::string_view value) const {
  const std::vector<const Node*>& users = UsersOf(value);
  return users.size() == 1 && !outputs_.contains(value) ? users.front()
                                                        : nullptr;
}

std::set<const Node*> AttentionNodes(const Model& model,
                                     const GraphFacts& facts,
                                     const GraphLinks& links) {
  std::set<const Node*> found;
  const auto makers = [&links](const Node& node) {
    std::vector<const Node*> nodes;
    for (const std::string_view name : node.inputs) {
      if (const Node* maker = links.MakerOf(name)) {
        nodes.push_back(maker);
      }
    }
    return nodes;
  };
  const auto users = [&links](const Node& node) {
    std::vector<const Node*> nodes;
    for (const std::string_view name : node.outputs) {
      const auto& all = links.UsersOf(name);
      nodes.insert(nodes.end(), all.begin(),
                   all.begin() + static_cast<ptrdiff_t>(
                                     std::min(all.size(), kMostSteps)));
    }
    return nodes;
  };
  for (const Node& node : model.nodes) {
    if (node.op == "Attention" || node.op == "MultiHeadAttention") {
      found.insert(&node);
    } else if (node.op == "Softmax") {
      const Node* scores = NearestProduct(node, facts, makers);
      const Node* use =
          scores != nullptr ? NearestProduct(node, facts, users) : nullptr;
      if (use != nullptr) {
        found.insert(scores);
        found.insert(use);
      }
    }
  }
  return found;
}

}  // namespace edgewise::onnx
