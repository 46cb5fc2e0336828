// Builds an ONNX model node by node, with seeded weights.
#ifndef EDGEWISE_APPS_MODELS_ONNX_GRAPH_H_
#define EDGEWISE_APPS_MODELS_ONNX_GRAPH_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "onnx/wire_writer.h"
#include "stats/random.h"

namespace edgewise::apps {

struct OnnxAttribute {
  std::string name;
  std::variant<int64_t, float, std::vector<int64_t>, std::string> value;
};

// Values are named by strings, as in the file. Opset 10: the newest in which
// the bounds of Clip are attributes, as OpenCV 4.6 wants them.
class OnnxGraph {
 public:
  using Value = std::string;
  using Dims = std::vector<int64_t>;
  static constexpr int64_t kOpset = 10;

  OnnxGraph(std::string name, uint64_t seed);

  Value Input(const std::string& name, const Dims& dims);
  // Uniform with variance gain / fan_in: with gain 2 the scale of values is
  // kept by layers followed by ReLU (He et al. 2015), with 1 by linear ones.
  // Only exact operations, so the same on every machine.
  Value Weights(const Dims& dims, int64_t fan_in, double gain = 2);
  Value Constant(const Dims& dims, const std::vector<float>& values);
  Value Shape(const std::vector<int64_t>& values);
  Value Node(const std::string& op, const std::vector<Value>& inputs,
             const std::vector<OnnxAttribute>& attributes = {});

  // The whole file.
  std::string Finish(const Value& output, const Dims& dims);

 private:
  Value Initializer(int64_t data_type, const Dims& dims, std::string_view raw);
  std::string NewName(const std::string& kind);

  std::string name_;
  stats::Random random_;
  onnx::WireWriter graph_;
  int64_t names_ = 0;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_MODELS_ONNX_GRAPH_H_
