#include "cli/verbs/onnx_options.h"

#include <CLI/CLI.hpp>

namespace edgewise::cli {

void AddOnnxOptions(CLI::App& verb, OnnxOptions& options) {
  verb.add_option("--input-shape", options.input_shapes,
                  "Size of an input that the file leaves open; once for each")
      ->type_name("NAME=1x3x224x224")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Result<onnx::InputShapes> InputShapesFrom(const OnnxOptions& options) {
  onnx::InputShapes shapes;
  for (const std::string& text : options.input_shapes) {
    auto shape = onnx::ParseInputShape(text);
    if (!shape) {
      return shape.error();
    }
    if (!shapes.insert(*shape).second) {
      return Error{ErrorCode::kInvalid, "--input-shape: \"" + shape->first +
                                            "\" is given twice: give it once"};
    }
  }
  return shapes;
}

}  // namespace edgewise::cli
