// The options of verbs that read ONNX files.
#ifndef EDGEWISE_CLI_VERBS_ONNX_OPTIONS_H_
#define EDGEWISE_CLI_VERBS_ONNX_OPTIONS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "onnx/graph_facts.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

struct OnnxOptions {
  std::vector<std::string> input_shapes;
};

// `options` must live as long as the verb.
void AddOnnxOptions(CLI::App& verb, OnnxOptions& options);

// Refuses what is no shape, and a name that is given twice.
Result<onnx::InputShapes> InputShapesFrom(const OnnxOptions& options);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_ONNX_OPTIONS_H_
