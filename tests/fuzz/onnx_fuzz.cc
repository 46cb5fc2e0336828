// ONNX files: any bytes are a model of which finite figures can be said, or an
// error in one sentence.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "onnx/read_model.h"
#include "prediction/cost_terms.h"
#include "prediction/onnx_network.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto file = onnx::ReadModel(bytes, "fuzz.onnx");
  if (!file) {
    return 0;
  }
  // What is left open is filled in, to get beyond the inputs.
  onnx::InputShapes shapes;
  for (const onnx::ValueInfo& input : file->inputs) {
    if (!input.FixedDims()) {
      onnx::Dims dims;
      for (const auto& extent : input.dims) {
        dims.push_back(extent.value_or(8));
      }
      shapes.emplace(input.name, std::move(dims));
    }
  }
  const auto model = ReadOnnxModel(bytes, "fuzz.onnx", shapes);
  if (!model) {
    return 0;
  }
  const onnx::Inspection& said = model->inspection;
  for (const double figure : {said.macs, said.activation_bytes,
                              said.peak_activation_bytes, said.weight_bytes}) {
    if (!std::isfinite(figure) || figure < 0) {
      std::abort();
    }
  }
  for (const double cost : CostsOf(model->network)) {
    if (!std::isfinite(cost) || cost < 0) {
      std::abort();
    }
  }
  return 0;
}
