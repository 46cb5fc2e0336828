#include "cli/verbs/onnx_options.h"

#include "cli/option_values.h"

namespace edgewise::cli {

void AddOnnxOptions(CLI::App& verb, OnnxOptions& options) {
  AddRepeated(verb, "--input-shape", options.input_shapes, "NAME=1x3x224x224",
              "Size of an input that the file leaves open; once for each");
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
