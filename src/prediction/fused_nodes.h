// Nodes of an ONNX graph that engines do not run by themselves.
#ifndef EDGEWISE_PREDICTION_FUSED_NODES_H_
#define EDGEWISE_PREDICTION_FUSED_NODES_H_

#include <map>
#include <set>
#include <string_view>

#include "onnx/graph_links.h"

namespace edgewise {

struct FusedNodes {
  // Part of another layer: these cost nothing of their own.
  std::set<const onnx::Node*> absorbed;
  // The one of several nodes that stands for all of them, and what they are
  // together: "Swish", "HardSwish", "GELU", "LayerNorm".
  std::map<const onnx::Node*, std::string_view> stands_for;
};

// The model, its facts and links must outlive the answer.
FusedNodes FindFusedNodes(const onnx::Model& model,
                          const onnx::GraphFacts& facts,
                          const onnx::GraphLinks& links);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_FUSED_NODES_H_
