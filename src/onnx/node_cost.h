// What running one node costs, as far as shapes tell.
#ifndef EDGEWISE_ONNX_NODE_COST_H_
#define EDGEWISE_ONNX_NODE_COST_H_

#include <optional>

#include "onnx/graph_facts.h"

namespace edgewise::onnx {

struct NodeCost {
  // Multiply-accumulates of convolutions, matrix products and recurrent cells;
  // 0 for all other operators, nullopt where shapes are not known.
  std::optional<double> macs;
  // Constants that it reads, and the bytes they take in the file.
  double parameters = 0;
  double weight_bytes = 0;
  // Activations read and written; nullopt where a shape is not known.
  std::optional<double> in_bytes;
  std::optional<double> out_bytes;
  // Worked out before the model runs: no cost at all.
  bool folded = false;
  // Only gives its input another shape: nothing is moved.
  bool view = false;
  // Each channel, or group of as many outputs, by itself.
  bool depthwise = false;
  // A product whose weights or both sides are 8-bit (or smaller) integers.
  bool int8 = false;
};

NodeCost CostOf(const Node& node, const GraphFacts& facts);

// Convolutions in any of their kinds: Conv, FusedConv, ConvInteger,
// QLinearConv.
bool IsConvolution(const Node& node);
// Products of matrices: MatMul and its integer kinds; not Gemm.
bool IsMatrixProduct(const Node& node);
// Which input has the weights of a product: 1, or 3 for QLinear kinds.
size_t WeightInput(const Node& node);

// The value's facts; nullptr if there is none of that name.
const ValueFacts* FactsFor(const GraphFacts& facts, std::string_view name);
// Of an input of a node; nullptr if it is left out.
const ValueFacts* InputFacts(const GraphFacts& facts, const Node& node,
                             size_t input);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_NODE_COST_H_
