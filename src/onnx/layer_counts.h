// The characteristics of a model that a SOPRANO profiler's extractor counts,
// counted as it does: by the names of operators, initializers and direct
// predecessors, whatever the nodes compute.
#ifndef EDGEWISE_ONNX_LAYER_COUNTS_H_
#define EDGEWISE_ONNX_LAYER_COUNTS_H_

#include <cstdint>
#include <optional>

#include "onnx/graph_facts.h"
#include "onnx/graph_links.h"

namespace edgewise::onnx {

struct LayerCounts {
  int64_t conv_layers = 0;  // Conv whose weight is an initializer
  int64_t pool_layers = 0;  // MaxPool, AveragePool, GlobalAveragePool
  // Gemm; MatMul right after Flatten or with an initializer on the right; Conv
  // right after GlobalAveragePool.
  int64_t fc_layers = 0;
  int64_t filter_details = 0;   // output channels of conv_layers, summed
  double total_parameters = 0;  // elements of all initializers
  // Of all inputs, of all outputs; nullopt where a shape is not known.
  std::optional<double> model_input_bytes;
  std::optional<double> model_output_bytes;
};

LayerCounts CountLayers(const Model& model, const GraphFacts& facts,
                        const GraphLinks& links);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_LAYER_COUNTS_H_
