// Everything that can be said of a model without running it.
#ifndef EDGEWISE_ONNX_INSPECT_H_
#define EDGEWISE_ONNX_INSPECT_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onnx/graph_facts.h"
#include "onnx/layer_counts.h"
#include "onnx/node_cost.h"

namespace edgewise::onnx {

struct InspectedValue {
  std::string name;
  ElementType type = ElementType::kUndefined;
  std::optional<Dims> dims;
};

struct InspectedNode {
  std::string name;  // its own, else that of its first output
  std::string op;
  std::optional<Dims> in_dims;   // of its first input
  std::optional<Dims> out_dims;  // of its first output
  std::vector<int64_t> kernel;   // of convolutions and pools; else empty
  NodeCost cost;
  bool attention = false;
};

struct OperatorTotals {
  std::string op;
  int64_t nodes = 0;
  double macs = 0;
  double parameters = 0;  // read by its nodes; shared ones count each time
  double weight_bytes = 0;
  double in_bytes = 0;
  double out_bytes = 0;
};

// Sums leave out what is not known; `unknown_nodes` says how many nodes that
// concerns.
struct Inspection {
  std::string producer;
  int64_t opset = 0;
  std::vector<InspectedValue> inputs;
  std::vector<InspectedValue> outputs;
  LayerCounts counts;
  std::vector<InspectedNode> nodes;       // as in the file, folded ones too
  std::vector<OperatorTotals> operators;  // most MACs, then most bytes, first
  double macs = 0;
  double weight_bytes = 0;  // of all initializers, as stored
  // Activations that nodes read and write, each node by itself.
  double activation_bytes = 0;
  // The most that is alive at once while nodes run in the file's order: a
  // value lives from the node that makes it to the last that uses it, changes
  // of shape are free, nothing is done in place.
  double peak_activation_bytes = 0;
  // MACs for each byte of weights and activations that is read or written.
  std::optional<double> macs_per_byte;
  // Of all MACs; nullopt without any.
  std::optional<double> depthwise_share;
  std::optional<double> attention_share;
  std::optional<double> int8_share;
  std::string precision;  // "fp32", "fp16", "int8", "mixed", "unknown"
  std::map<std::string, double> weight_bytes_by_type;  // "float32"
  int64_t folded_nodes = 0;   // worked out before the model runs
  int64_t unknown_nodes = 0;  // whose cost is not known
  std::map<std::string, int64_t> unknown_operators;
  std::map<std::string, int64_t> not_followed;
  std::vector<std::string> notes;  // sentences
};

Inspection Inspect(const Model& model, const GraphFacts& facts);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_INSPECT_H_
