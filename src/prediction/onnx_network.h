// An ONNX model in the terms that predictions are made of.
#ifndef EDGEWISE_PREDICTION_ONNX_NETWORK_H_
#define EDGEWISE_PREDICTION_ONNX_NETWORK_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "onnx/inspect.h"
#include "prediction/characteristics.h"
#include "prediction/network.h"

namespace edgewise {

// Layers as an engine for inference runs them: activations, biases and batch
// normalisation that directly follow a convolution or a fully connected layer
// are part of it, and so are the nodes that exporters write for one Swish, GELU
// or layer normalisation. What is worked out beforehand, or only changes a
// shape, is no layer. Recurrent cells count as fully connected layers with one
// row a step.
Network NetworkOf(const onnx::Model& model, const onnx::GraphFacts& facts,
                  const std::string& name);

// Sizes that are not known become 0.
Characteristics CharacteristicsOf(const onnx::LayerCounts& counts,
                                  const std::string& name);

// All that is said of a model; nothing points into its file.
struct OnnxModel {
  std::string name;  // of the file, without ".onnx"
  onnx::Inspection inspection;
  Network network;
  Characteristics characteristics;
};

// From bytes that may be freed afterwards; `file` is for errors and the name.
Result<OnnxModel> ReadOnnxModel(std::string_view bytes, const std::string& file,
                                const onnx::InputShapes& shapes);
// Large files take no more memory than small ones. Weights that are kept
// beside the file are looked for; a note says if they are not there.
Result<OnnxModel> ReadOnnxFile(const std::filesystem::path& path,
                               const onnx::InputShapes& shapes);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_ONNX_NETWORK_H_
