// How much memory activations need at once.
#ifndef EDGEWISE_ONNX_PEAK_MEMORY_H_
#define EDGEWISE_ONNX_PEAK_MEMORY_H_

#include "onnx/graph_facts.h"

namespace edgewise::onnx {

// In bytes, as Inspection::peak_activation_bytes says. Values whose shape is
// not known count nothing.
double PeakActivationBytes(const Model& model, const GraphFacts& facts);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_PEAK_MEMORY_H_
