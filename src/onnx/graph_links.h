// Who makes a value, and who uses it.
#ifndef EDGEWISE_ONNX_GRAPH_LINKS_H_
#define EDGEWISE_ONNX_GRAPH_LINKS_H_

#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/graph_facts.h"

namespace edgewise::onnx {

// Points into the model, which must outlive it.
class GraphLinks {
 public:
  explicit GraphLinks(const Model& model);

  // nullptr for inputs and constants.
  const Node* MakerOf(std::string_view value) const;
  // Each as often as it uses the value.
  const std::vector<const Node*>& UsersOf(std::string_view value) const;
  // The only user of a value that is no output of the model; else nullptr.
  const Node* OnlyUserOf(std::string_view value) const;
  bool IsInitializer(std::string_view value) const {
    return initializers_.contains(value);
  }

 private:
  std::unordered_map<std::string_view, const Node*> makers_;
  std::unordered_map<std::string_view, std::vector<const Node*>> users_;
  std::set<std::string_view> initializers_;
  std::set<std::string_view> outputs_;
};

// The products within attention: those of two computed values on both sides of
// a Softmax (scores, and their use), and fused Attention operators.
std::set<const Node*> AttentionNodes(const Model& model,
                                     const GraphFacts& facts,
                                     const GraphLinks& links);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_GRAPH_LINKS_H_
