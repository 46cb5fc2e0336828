#include "onnx/layer_counts.h"

#include "onnx/node_cost.h"

namespace edgewise::onnx {
namespace {

std::optional<double> BytesOf(const std::vector<ValueInfo>& values,
                              const GraphFacts& facts) {
  double bytes = 0;
  for (const ValueInfo& value : values) {
    const ValueFacts* known = FactsFor(facts, value.name);
    const auto size = known != nullptr ? known->bytes() : std::nullopt;
    if (!size) {
      return std::nullopt;
    }
    bytes += *size;
  }
  return bytes;
}

}  // namespace

LayerCounts CountLayers(const Model& model, const GraphFacts& facts,
                        const GraphLinks& links) {
  LayerCounts counts;
  for (const Node& node : model.nodes) {
    const auto follows = [&](std::string_view op) {
      const Node* maker =
          node.inputs.empty() ? nullptr : links.MakerOf(node.inputs[0]);
      return maker != nullptr && maker->op == op;
    };
    const bool stored_weight =
        node.inputs.size() > 1 && links.IsInitializer(node.inputs[1]);
    if (node.op == "Conv") {
      if (stored_weight) {
        ++counts.conv_layers;
        const ValueFacts* weight = FactsFor(facts, node.inputs[1]);
        if (weight != nullptr && weight->dims && !weight->dims->empty()) {
          counts.filter_details += weight->dims->front();
        }
      }
      if (follows("GlobalAveragePool")) {
        ++counts.fc_layers;
      }
    } else if (node.op == "Gemm" ||
               (node.op == "MatMul" && (stored_weight || follows("Flatten")))) {
      ++counts.fc_layers;
    } else if (node.op == "MaxPool" || node.op == "AveragePool" ||
               node.op == "GlobalAveragePool") {
      ++counts.pool_layers;
    }
  }
  for (const Tensor& tensor : model.initializers) {
    counts.total_parameters += static_cast<double>(tensor.elements);
  }
  counts.model_input_bytes = BytesOf(model.inputs, facts);
  counts.model_output_bytes = BytesOf(model.outputs, facts);
  return counts;
}

}  // namespace edgewise::onnx
